/// What devices do differently from each other when they write a frame.
package struct AnswerOptions: Equatable, Sendable {
    /// How a return code is written inside a sealed frame.
    package enum ByteOrder: Sendable {
        case big
        /// As the vendor's open device SDK does.
        case little
    }

    /// `nil`: no return code is sent.
    package var returnCode: Int32? = 0
    package var returnCodeOrder = ByteOrder.big
    /// `nil`: no version header.
    package var header: VersionHeader?
    /// The body goes out as it is, as error texts of 3.1 … 3.3 devices do; ignored in sealed frames.
    package var isClear = false
    /// 12 bytes for a sealed frame; random unless given.
    package var nonce: [UInt8]?

    /// Return code 0, no header, encrypted.
    package init(
        returnCode: Int32? = 0,
        returnCodeOrder: ByteOrder = .big,
        header: VersionHeader? = nil,
        isClear: Bool = false,
        nonce: [UInt8]? = nil
    ) {
        self.returnCode = returnCode
        self.returnCodeOrder = returnCodeOrder
        self.header = header
        self.isClear = isClear
        self.nonce = nonce
    }
}
