import Crypto
import FuzzSupport
import TuyaProtocol

/// Bytes of a connection to a Tuya device: the first byte chooses version and way, the rest is the input.
///
/// A checksum keeps a fuzzer out, so that besides the stream itself the bytes go in behind it: as the payload of a frame
/// whose checksum was right, and as a body that is framed and must come back as it is.
@main
struct FuzzFrame: FuzzTarget {
    static func test(_ input: [UInt8]) {
        guard let choice = input.first else { return }
        let versions = ProtocolVersion.supported
        let version = versions[Int(choice) % versions.count]
        guard let codec = try? SessionCodec(version: version, key: SecretKey([UInt8](repeating: 0x30, count: 16)))
        else {
            fatalError("no codec")
        }
        let rest = [UInt8](input.dropFirst())
        let command = Command(rawValue: UInt32(choice >> 4))
        switch choice / 5 % 3 {
        case 0: stream(rest, codec)
        case 1: understand(Frame(format: version.frameFormat, sequence: 1, command: command, payload: rest), codec)
        default: roundTrip(rest, command, codec)
        }
    }

    private static func stream(_ bytes: [UInt8], _ codec: SessionCodec) {
        var whole = StreamDecoder(returnCodes: .whereSmall)
        var cut = StreamDecoder(returnCodes: .whereSmall)
        whole.append(bytes)
        var (wholeEvents, cutEvents): ([StreamEvent], [StreamEvent]) = ([], [])
        while let event = whole.next(codec.protection) { wholeEvents.append(event) }
        for start in stride(from: 0, to: bytes.count, by: 7) {
            cut.append([UInt8](bytes[start..<min(start + 7, bytes.count)]))
            while let event = cut.next(codec.protection) { cutEvents.append(event) }
        }
        expect(wholeEvents == cutEvents, "the segments make a difference")
        expect(whole.discarded + whole.buffered <= bytes.count, "more is gone than came")
        expect(whole.discarded == cut.discarded, "the segments make a difference to what is discarded")
        expect(whole.buffered <= whole.maximumLength + 22, "more than one frame is kept")
        for case .frame(let frame) in wholeEvents { understand(frame, codec) }
    }

    private static func understand(_ frame: Frame, _ codec: SessionCodec) {
        guard let body = try? codec.plaintext(of: frame) else { return }
        _ = DeviceRequest(command: frame.command, plaintext: body)
        guard case .status(let report) = DeviceReply(command: frame.command, plaintext: body) else { return }
        expect(!report.points.isEmpty, "a status without values")
        var state = DataPointState()
        _ = state.merge(report)
        guard let profile = LightProfile.detect(report.points) else { return }
        var light = Light(profile: profile, points: report.points)
        let shown = light.state
        if let brightness = shown.brightness {
            expect((1...255).contains(brightness), "brightness outside its scale")
            let plan = try? light.plan(LightChange(brightness: .of255(brightness)))
            expect(plan != nil, "a brightness that is shown cannot be asked for")
            if let plan { _ = light.learn(plan.points) }
            expect(light.state.brightness == brightness, "a brightness that is shown does not stay")
        }
    }

    private static func roundTrip(_ body: [UInt8], _ command: Command, _ codec: SessionCodec) {
        guard let bytes = try? codec.request(command, sequence: 9, body: body) else { return }
        var decoder = StreamDecoder(returnCodes: .never)
        decoder.append(bytes)
        guard case .frame(let frame)? = decoder.next(codec.protection) else { fatalError("our own frame is not read") }
        expect(frame.sequence == 9 && frame.command == command, "the frame has changed")
        guard let read = try? codec.plaintext(of: frame) else { return }
        // Only JSON is written in practice; other bodies may look like a header or a text in clear.
        if body.first == 0x7B { expect(read == body, "the body has changed") }
    }
}
