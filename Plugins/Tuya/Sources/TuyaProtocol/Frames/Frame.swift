/// One message as it stands on the wire, with its checksum already verified.
package struct Frame: Equatable, Sendable {
    package var format: FrameFormat
    package var sequence: UInt32
    package var command: Command
    /// Sent by devices only, and not always; 0 = fine.
    package var returnCode: Int32?
    /// Still encrypted in classic frames, decrypted in sealed ones; without the return code.
    package var payload: [UInt8]

    /// Describes a message.
    package init(
        format: FrameFormat,
        sequence: UInt32,
        command: Command,
        returnCode: Int32? = nil,
        payload: [UInt8] = []
    ) {
        self.format = format
        self.sequence = sequence
        self.command = command
        self.returnCode = returnCode
        self.payload = payload
    }
}
