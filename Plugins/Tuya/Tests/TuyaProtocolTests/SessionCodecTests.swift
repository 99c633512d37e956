import Crypto
import Testing
import TuyaProtocol

struct SessionCodecTests {
    static let key = SecretKey([UInt8]("8c1f5d0a7e92b346".utf8))
    static let commands: [Command] = [
        .control, .report, .heartbeat, .query, .controlNew, .queryNew, .refresh, .extended,
    ]

    /// A body of every length around the cipher's block, as a client sends it and a device reads it.
    @Test("what one side writes the other side reads, in every version", arguments: ProtocolVersion.supported)
    func bothSides(version: ProtocolVersion) throws {
        let codec = try SessionCodec(version: version, key: Self.key)
        var atDevice = StreamDecoder(returnCodes: .never)
        var atClient = StreamDecoder(returnCodes: .whereSmall)
        for (index, command) in Self.commands.enumerated() {
            for count in 2...40 {
                let body = [0x7B] + [UInt8](repeating: 0x20, count: count - 2) + [0x7D]
                let sequence = UInt32(index * 100 + count)
                atDevice.append(try codec.request(command, sequence: sequence, body: body))
                let request = try atDevice.requireFrame(codec.protection)
                #expect(request.command == command)
                #expect(request.sequence == sequence)
                #expect(try codec.plaintext(of: request) == body)

                let header = VersionHeader(device: version, serial: 7)
                let options = AnswerOptions(returnCode: 0, header: version == .v31 ? nil : header)
                atClient.append(try codec.answer(command, sequence: sequence, options: options, body: body))
                let answer = try atClient.requireFrame(codec.protection)
                #expect(answer.returnCode == 0)
                #expect(try codec.plaintext(of: answer) == body)
            }
        }
    }

    @Test("an error text in clear is given as it is, also where it looks like a cipher block")
    func errorTexts() throws {
        for version in [ProtocolVersion.v31, .v32, .v33] {
            let codec = try SessionCodec(version: version, key: Self.key)
            var decoder = StreamDecoder(returnCodes: .whereSmall)
            for text in ["json obj data unvalid", "data format error", "parse data error", "devid not found"] {
                for body in [[UInt8](text.utf8), [UInt8](text.utf8) + [0]] {
                    let options = AnswerOptions(returnCode: 1, isClear: true)
                    decoder.append(try codec.answer(.query, sequence: 0, options: options, body: body))
                    let frame = try decoder.requireFrame(codec.protection)
                    #expect(frame.returnCode == 1)
                    #expect(try codec.plaintext(of: frame) == body)
                }
            }
        }
    }

    @Test("a frame of the other kind is a hint and not an error")
    func wrongPrefix() throws {
        let old = try SessionCodec(version: .v33, key: Self.key)
        let new = try SessionCodec(version: .v35, key: Self.key)
        var decoder = StreamDecoder(returnCodes: .whereSmall)
        decoder.append(try new.answer(.report, sequence: 1, body: [1]))
        #expect(decoder.next(old.protection) == .wrongPrefix(.sealed, command: .report))
        decoder.append(try old.answer(.report, sequence: 1, body: [1]))
        #expect(decoder.next(new.protection) == .wrongPrefix(.classic, command: .report))
        #expect(decoder.buffered == 0)
    }

    @Test("3.1 base64 that is damaged is bad_base64, and a wrong key bad_padding")
    func base64() throws {
        let codec = try SessionCodec(version: .v31, key: Self.key)
        let text = [UInt8]("3.10123456789abcdef".utf8)
        for (body, code) in [("====", "bad_base64"), ("AAAA", "bad_ciphertext_length")] {
            let frame = Frame(
                format: .classic,
                sequence: 0,
                command: .report,
                payload: text + [UInt8](body.utf8)
            )
            let error = #expect(throws: TuyaProtocolError.self) { try codec.plaintext(of: frame) }
            #expect(error?.code == code)
        }
        let clear = Frame(format: .classic, sequence: 0, command: .report, payload: text)
        #expect(try codec.plaintext(of: clear) == text)
    }

    @Test("each sealed frame has another nonce")
    func nonces() throws {
        let codec = try SessionCodec(version: .v35, key: Self.key)
        let frames = try (0..<100).map { _ in try codec.request(.heartbeat, sequence: 1, body: []) }
        #expect(Set(frames.map { [UInt8]($0[18..<30]) }).count == 100)
    }

    @Test("a version that nobody knows and a body that no device takes are refused")
    func refusals() throws {
        #expect(throws: TuyaProtocolError.unsupportedVersion("3.6")) {
            try SessionCodec(version: ProtocolVersion(text: "3.6"), key: Self.key)
        }
        let codec = try SessionCodec(version: .v33, key: Self.key)
        let error = #expect(throws: TuyaProtocolError.self) {
            try codec.request(.control, sequence: 1, body: [UInt8](repeating: 0x20, count: 16_384))
        }
        #expect(error?.code == "too_long")
    }

    @Test("a device of an unknown version can be treated as 3.5 with its own header text")
    func headerText() throws {
        let codec = try SessionCodec(version: .v35, key: Self.key, headerText: "3.6")
        var decoder = StreamDecoder(returnCodes: .never)
        decoder.append(try codec.request(.controlNew, sequence: 1, body: [0x7B, 0x7D]))
        #expect(try decoder.requireFrame(codec.protection).payload.starts(with: "3.6".utf8))
    }

    @Test("a ciphertext that begins with a brace is not taken for JSON", arguments: [ProtocolVersion.v32, .v33])
    func cipherLikeJSON(version: ProtocolVersion) throws {
        let body = [UInt8](#"{"devId":"bf0123456789abcdefgh","dps":{"1":true}}"#.utf8)
        var tried = 0
        var found = 0
        while found < 3 {
            tried += 1
            let key = SecretKey([UInt8]("key\(tried + 1_000_000_000_000)".utf8))
            let codec = try SessionCodec(version: version, key: key)
            var decoder = StreamDecoder(returnCodes: .whereSmall)
            decoder.append(try codec.answer(.query, sequence: 1, body: body))
            let frame = try decoder.requireFrame(codec.protection)
            guard frame.payload.first == UInt8(ascii: "{") else { continue }
            found += 1
            #expect(try codec.plaintext(of: frame) == body)
        }
    }

    @Test("JSON in clear is taken as it is, whole or cut, whatever its length")
    func clearJSON() throws {
        let codec = try SessionCodec(version: .v33, key: Self.key)
        for count in 20...60 {
            let text = #"{"dps":{"1":"\#(String(repeating: "x", count: count))"}}"#
            for body in [text, String(text.dropLast(3)), text + "\0"] {
                let options = AnswerOptions(isClear: true)
                var decoder = StreamDecoder(returnCodes: .whereSmall)
                decoder.append(try codec.answer(.report, sequence: 1, options: options, body: [UInt8](body.utf8)))
                let frame = try decoder.requireFrame(codec.protection)
                #expect(try codec.plaintext(of: frame) == [UInt8](body.utf8))
            }
        }
    }
}
