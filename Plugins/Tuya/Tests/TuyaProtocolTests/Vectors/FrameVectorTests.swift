import Crypto
import JSON
import Testing
import TuyaProtocol

struct FrameVectorTests {
    @Test("a frame is read: sequence, command, return code and body", arguments: VectorFile.vectors(of: "frame"))
    func reads(_ vector: Vector) throws {
        let codec = try SessionCodec(version: vector.version, key: vector.key)
        var decoder = StreamDecoder(returnCodes: vector.isFromDevice ? .whereSmall : .never)
        decoder.append(try vector.bytes("hex"))
        let frame = try decoder.requireFrame(codec.protection)
        #expect(try frame.sequence == vector.sequence)
        #expect(try frame.command == vector.command)
        #expect(frame.returnCode == vector.returnCode)
        #expect(try String(decoding: codec.plaintext(of: frame), as: UTF8.self) == vector.text("plaintext"))
        #expect(decoder.next(codec.protection) == nil)
        #expect(decoder.buffered == 0)
        #expect(decoder.discarded == 0)
    }

    @Test(
        "a frame is built, bit for bit",
        arguments: VectorFile.vectors(of: "frame").filter(\.asksForEncoding)
    )
    func builds(_ vector: Vector) throws {
        let codec = try SessionCodec(version: vector.version, key: vector.key)
        let body = try [UInt8](vector.text("plaintext").utf8)
        let built: [UInt8]
        if vector.isFromDevice {
            let header = try vector["header_hex"] == nil ? [] : vector.bytes("header_hex")
            let options = AnswerOptions(
                returnCode: vector.returnCode,
                returnCodeOrder: vector["retcode_byte_order"]?.stringValue == "little" ? .little : .big,
                header: try header.isEmpty ? nil : deviceHeader(header),
                nonce: try vector.nonce
            )
            built = try codec.answer(vector.command, sequence: vector.sequence, options: options, body: body)
        } else {
            built = try codec.request(vector.command, sequence: vector.sequence, nonce: vector.nonce) { $0 += body }
        }
        #expect(try Hex.encode(built) == vector.text("hex"))
    }

    /// The header's fields out of its bytes, so that the type that devices are simulated with writes them again.
    private func deviceHeader(_ bytes: [UInt8]) throws -> VersionHeader {
        try #require(bytes.count == 15)
        func number(_ offset: Int) -> UInt32 { bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) } }
        return VersionHeader(
            device: ProtocolVersion(text: String(decoding: bytes.prefix(3), as: UTF8.self)),
            checksum: number(3),
            serial: number(7),
            source: number(11)
        )
    }

    @Test(
        "a frame whose body cannot be had names the reason",
        arguments: VectorFile.vectors(of: "undecryptable")
    )
    func undecryptable(_ vector: Vector) throws {
        let codec = try SessionCodec(version: vector.version, key: vector.key)
        var decoder = StreamDecoder(returnCodes: .whereSmall)
        decoder.append(try vector.bytes("hex"))
        let expected = try vector.nested("expect").text("error")
        switch decoder.next(codec.protection) {
        case nil: Issue.record("the frame is complete")
        case .frame(let frame):
            let error = #expect(throws: TuyaProtocolError.self) { try codec.plaintext(of: frame) }
            #expect(error?.code == expected)
        case .failure(let error): #expect(error.code == expected)
        case .wrongPrefix: Issue.record("the frame belongs to the version")
        }
    }
}
