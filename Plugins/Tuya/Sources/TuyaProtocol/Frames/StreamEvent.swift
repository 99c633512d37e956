/// What the decoder found next in a byte stream.
package enum StreamEvent: Equatable, Sendable {
    case frame(Frame)
    /// A frame was thrown away, or its prefix; decoding goes on behind it.
    case failure(TuyaProtocolError)
    /// A whole frame of a kind that this session's version does not use, a hint at another version; its checksum was
    /// not looked at, and it is thrown away.
    case wrongPrefix(FrameFormat, command: Command)
}
