/// What a device in its hotspot does about a request.
package enum HotspotReaction: Equatable, Sendable {
    /// Nothing is answered; the reason is for logs.
    case silence(String)
    /// A frame.
    case answer([UInt8])
    /// A frame after a scan, which blocks the device.
    case scan(answer: [UInt8])
    /// A frame, and the hotspot goes down.
    case leave(HotspotCredentials, answer: [UInt8])
}
