import Crypto
import JSON
import Testing
import TuyaProtocol

struct StreamVectorTests {
    @Test("a byte stream falls into frames and errors", arguments: VectorFile.vectors(of: "stream"))
    func decodes(_ vector: Vector) throws {
        let protection = try protection(of: vector)
        var decoder = StreamDecoder(
            returnCodes: vector["from_device"]?.boolValue == false ? .never : .whereSmall,
            maximumLength: vector["max_length"]?.intValue ?? StreamDecoder.standardMaximumLength
        )
        var frames: [Frame] = []
        var errors: [String] = []
        for chunk in try vector.list("chunks") {
            decoder.append(try Hex.decode(try #require(chunk.stringValue)))
            while let event = decoder.next(protection) {
                switch event {
                case .frame(let frame): frames.append(frame)
                case .failure(let error): errors.append(error.code)
                case .wrongPrefix: errors.append("wrong_prefix")
                }
            }
        }
        let expected = try vector.nested("expect")
        #expect(errors == (try expected.list("errors").compactMap(\.stringValue)))
        #expect(decoder.discarded == (try expected.int("discarded")))
        #expect(decoder.buffered == (try expected.int("buffered")))
        let expectedFrames = try expected.list("frames").map(Vector.init).map { frame in
            Frame(
                format: try #require(FrameFormat(rawValue: frame.text("prefix"))),
                sequence: try frame.sequence,
                command: try frame.command,
                returnCode: frame.returnCode,
                payload: try frame.bytes("payload_hex")
            )
        }
        #expect(frames == expectedFrames)
    }

    /// `mac` says how classic frames are protected; a key beside it opens sealed frames.
    private func protection(of vector: Vector) throws -> FrameProtection {
        let hasKey = vector["key"] != nil || vector["key_hex"] != nil
        let key = try hasKey ? vector.key : nil
        let classic: FrameProtection.Classic =
            switch (try vector.text("mac"), key) {
            case ("hmac", let key?): .hmac(try HMACSHA256(key: key))
            default: .crc
            }
        return FrameProtection(classic: classic, sealed: try key.map { try AESGCM(key: $0) })
    }
}
