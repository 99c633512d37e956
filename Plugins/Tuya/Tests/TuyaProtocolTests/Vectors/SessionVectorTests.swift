import Crypto
import JSON
import Testing
import TuyaProtocol

struct SessionVectorTests {
    @Test("both sides agree on the key, frame by frame", arguments: VectorFile.vectors(of: "session"))
    func agreement(_ vector: Vector) throws {
        let key = try LocalKey(vector.text("real_key"))
        let client = try Negotiation(
            version: vector.version,
            localKey: key,
            nonce: vector.bytes("client_nonce_hex")
        )
        let device = try DeviceNegotiation(
            version: vector.version,
            localKey: key,
            nonce: vector.bytes("device_nonce_hex")
        )
        let frames = try vector.list("frames").map(Vector.init)
        try #require(frames.count == 3)

        let start = try read(frames[0], .never, client.codec.protection)
        let answer = try read(frames[1], .whereSmall, client.codec.protection)
        let finish = try read(frames[2], .never, client.codec.protection)

        guard case .agreed(let agreement) = try client.receive(answer) else {
            Issue.record("the answer ends the negotiation")
            return
        }
        #expect(try Hex.encode(agreement.key.exposedBytes) == vector.text("session_key_hex"))
        #expect(agreement.isUsable == vector["usable"]?.boolValue)

        let options = AnswerOptions(returnCode: frames[1].returnCode, nonce: try frames[1].nonce)
        let answered = try device.answer(start, sequence: frames[1].sequence, options: options)
        #expect(try Hex.encode(answered.bytes) == frames[1].text("hex"))
        #expect(answered.key == agreement.key)
        #expect(try device.accepts(finish))

        // Our own frames carry a random nonce in 3.5, so they are compared after reading.
        #expect(try read(client.start(sequence: frames[0].sequence), client.codec.protection) == start)
        #expect(try read(client.finish(agreement, sequence: frames[2].sequence), client.codec.protection) == finish)
        if try vector.version == .v34 {
            #expect(try Hex.encode(client.start(sequence: frames[0].sequence)) == frames[0].text("hex"))
            #expect(try Hex.encode(client.finish(agreement, sequence: frames[2].sequence)) == frames[2].text("hex"))
        }
        for (frame, vector) in zip([start, answer, finish], frames) {
            #expect(try frame.command == vector.command)
            #expect(try frame.sequence == vector.sequence)
            #expect(frame.returnCode == vector.returnCode)
            #expect(try Hex.encode(client.codec.plaintext(of: frame)) == vector.text("plaintext_hex"))
        }
        try rebuild(frames, with: client.codec)
    }

    @Test(
        "a frame that is not the awaited answer is refused or passed over",
        arguments: VectorFile.vectors(of: "session_error")
    )
    func failures(_ vector: Vector) throws {
        let client = try Negotiation(
            version: vector.version,
            localKey: LocalKey(vector.text("real_key")),
            nonce: vector.bytes("client_nonce_hex")
        )
        let frame = try read(vector, .whereSmall, client.codec.protection)
        let expected = try vector.nested("expect")
        if expected["ignore"]?.boolValue == true {
            guard case .ignored = try client.receive(frame) else {
                Issue.record("the frame should be passed over")
                return
            }
        } else {
            let error = #expect(throws: TuyaProtocolError.self) { _ = try client.receive(frame) }
            #expect(try error?.code == expected.text("error"))
        }
    }

    private func rebuild(_ frames: [Vector], with codec: SessionCodec) throws {
        for vector in frames where !vector.isFromDevice {
            let body = try vector.bytes("plaintext_hex")
            let bytes = try codec.request(vector.command, sequence: vector.sequence, nonce: vector.nonce) {
                $0 += body
            }
            #expect(try Hex.encode(bytes) == vector.text("hex"))
        }
    }

    private func read(_ vector: Vector, _ rule: ReturnCodeRule, _ protection: FrameProtection) throws -> Frame {
        var decoder = StreamDecoder(returnCodes: rule)
        decoder.append(try vector.bytes("hex"))
        return try decoder.requireFrame(protection)
    }

    private func read(_ bytes: [UInt8], _ protection: FrameProtection) throws -> Frame {
        var decoder = StreamDecoder(returnCodes: .never)
        decoder.append(bytes)
        return try decoder.requireFrame(protection)
    }
}
