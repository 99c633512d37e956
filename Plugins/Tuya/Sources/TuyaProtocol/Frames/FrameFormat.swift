/// The two ways in which messages are framed.
package enum FrameFormat: String, Hashable, Sendable {
    /// Prefix `000055aa`: clear return code, payload encrypted on its own, CRC-32 or HMAC behind it (3.1 … 3.4).
    case classic = "55aa"
    /// Prefix `00006699`: everything after the header sealed with AES-128-GCM (3.5, UDP 7000, AP+).
    case sealed = "6699"

    static let prefixCount = 4
    static let suffixCount = 4

    var prefix: UInt32 {
        switch self {
        case .classic: 0x0000_55AA
        case .sealed: 0x0000_6699
        }
    }

    var suffix: UInt32 {
        switch self {
        case .classic: 0x0000_AA55
        case .sealed: 0x0000_9966
        }
    }

    /// Bytes up to and including the length field.
    var headerCount: Int {
        switch self {
        case .classic: 16
        case .sealed: 18
        }
    }

    var sequenceOffset: Int {
        switch self {
        case .classic: 4
        case .sealed: 6
        }
    }

    var commandOffset: Int { sequenceOffset + 4 }
    var lengthOffset: Int { sequenceOffset + 8 }

    /// Bytes of the whole frame, for the value of its length field.
    func frameCount(length: Int) -> Int {
        // The length of a classic frame counts the suffix, that of a sealed one does not.
        self == .classic ? headerCount + length : headerCount + length + Self.suffixCount
    }
}
