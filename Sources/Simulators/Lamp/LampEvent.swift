package import EventLoop
package import TuyaProtocol

/// Something that happened to a simulated device, for logs and tests.
package enum LampEvent: Sendable {
    case listening
    case connected(from: SocketAddress)
    /// A connection was closed at once because all places were taken.
    case turnedAway(from: SocketAddress)
    case disconnected(Ending)
    /// A session key was agreed on.
    case negotiated
    case received(Command, sequence: UInt32, body: [UInt8])
    /// A set; `accepted` is what the device took of it.
    case set(accepted: DataPointValues, at: MonotonicTime)
    case reported(DataPointValues)
    /// A query was answered.
    case answered
    /// Bytes that a silent device took no notice of.
    case unheard
    /// Bytes that the device cannot make sense of, with the reason.
    case nonsense(String)

    /// Why a connection ended.
    package enum Ending: Sendable, Equatable {
        case byClient
        case silence
        case wrongKey
        case notNegotiated
        case negotiatedTwice
        case sequenceNotRising
        case shortSegment
        case tooLong
        case deadSession
        case wrongPrefix
        case fault
        case reboot
        case stopped
    }
}
