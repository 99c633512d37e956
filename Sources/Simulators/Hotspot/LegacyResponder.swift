internal import JSON
package import TuyaProtocol

/// The old pairing processes as a device carries them out, without sockets: clear frames in, its reaction out.
///
/// - Source: tuya-ap-plus.md section 5, tuya.md section 7. What the TCP variant answers is not known: here the same
///   command, return code 0, without a body.
package struct LegacyResponder {
    /// The second message of the TCP variant.
    package static let token = Command(rawValue: 0x02)

    private let encoder: DiscoveryEncoder
    private let protection: FrameProtection
    private var decoder: StreamDecoder
    private var pending: HotspotCredentials?

    package init() throws(TuyaProtocolError) {
        encoder = try DiscoveryEncoder()
        protection = FrameProtection(classic: .crc, sealed: nil)
        decoder = StreamDecoder(returnCodes: .never)
    }

    /// What the device takes out of a datagram; nil for anything but whole credentials.
    package func credentials(in datagram: [UInt8]) -> HotspotCredentials? {
        var decoder = StreamDecoder(returnCodes: .never, maximumLength: LegacyPairing.maximumFrame)
        decoder.append(datagram)
        guard case .frame(let frame) = decoder.next(protection), frame.command == .legacyCredentials else { return nil }
        return HotspotCredentials(frame.payload, securityLevel: 0)
    }

    /// What the device does about bytes of its TCP connection, in order.
    package mutating func reactions(to bytes: [UInt8]) -> [HotspotReaction] {
        decoder.append(bytes)
        var reactions: [HotspotReaction] = []
        while let event = decoder.next(protection) {
            guard case .frame(let frame) = event else {
                reactions.append(.silence("\(event)"))
                continue
            }
            reactions.append(reaction(to: frame))
        }
        return reactions
    }

    private mutating func reaction(to frame: Frame) -> HotspotReaction {
        switch frame.command {
        case .legacyCredentials:
            guard let credentials = HotspotCredentials(frame.payload, securityLevel: 0) else {
                return answer(frame.command, 1)
            }
            guard credentials.token.isEmpty else { return leave(credentials, frame.command) }
            pending = credentials
            return answer(frame.command, 0)
        case Self.token:
            guard var credentials = pending, let json = try? JSON.parse(frame.payload),
                let token = json["token"]?.stringValue, !token.isEmpty
            else { return answer(frame.command, 1) }
            pending = nil
            credentials.token = token
            return leave(credentials, frame.command)
        default: return .silence("command \(frame.command)")
        }
    }

    private func leave(_ credentials: HotspotCredentials, _ command: Command) -> HotspotReaction {
        guard let frame = frame(command, 0) else { return .silence("no frame") }
        return .leave(credentials, answer: frame)
    }

    private func answer(_ command: Command, _ code: Int32) -> HotspotReaction {
        frame(command, code).map { .answer($0) } ?? .silence("no frame")
    }

    private func frame(_ command: Command, _ code: Int32) -> [UInt8]? {
        try? encoder.datagram(.clear, command, returnCode: code, body: [])
    }
}
