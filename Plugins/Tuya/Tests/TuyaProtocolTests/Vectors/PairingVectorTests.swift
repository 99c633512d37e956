import Crypto
import JSON
import Testing
import TuyaProtocol

struct PairingVectorTests {
    @Test("a token falls into its parts, and the parts make the token", arguments: VectorFile.vectors(of: "token"))
    func token(_ vector: Vector) throws {
        let text = try vector.text("token")
        let token = try #require(PairingToken(text))
        let expected = try vector.nested("expect")
        #expect(try token.region == expected.text("region"))
        #expect(try token.token == expected.text("token"))
        #expect(try token.secret == expected.text("secret"))
        #expect(PairingToken(region: token.region, token: token.token, secret: token.secret)?.text == text)
        #expect(!"\(token)".contains(token.secret))
    }

    @Test("a hotspot frame is read", arguments: VectorFile.vectors(of: "ap_frame"))
    func reads(_ vector: Vector) throws {
        let bytes = try vector.bytes("hex")
        let frame: Frame
        if try vector.text("stage") == "legacy" {
            var decoder = StreamDecoder(returnCodes: .never)
            decoder.append(bytes)
            frame = try decoder.requireFrame(.crc)
        } else {
            let codec = try HotspotCodec()
            let read = try vector.isFromDevice ? codec.readAnswer(bytes) : codec.readRequest(bytes)
            frame = try #require(read)
        }
        #expect(try frame.sequence == vector.sequence)
        #expect(try frame.command == vector.command)
        #expect(frame.returnCode == vector.returnCode)
        #expect(try String(decoding: frame.payload, as: UTF8.self) == vector.text("plaintext"))
    }

    @Test(
        "a hotspot frame is built, bit for bit",
        arguments: VectorFile.vectors(of: "ap_frame").filter(\.asksForEncoding)
    )
    func builds(_ vector: Vector) throws {
        let body = [UInt8](try vector.text("plaintext").utf8)
        let built: [UInt8]
        if try vector.text("stage") == "legacy" {
            built = try LegacyPairing.datagram(body: body)
        } else if vector.isFromDevice {
            built = try HotspotCodec().answer(
                vector.command,
                returnCode: try #require(vector.returnCode),
                body: body,
                nonce: vector.nonce
            )
        } else {
            built = try HotspotCodec().request(
                vector.command,
                sequence: vector.sequence,
                body: body,
                nonce: vector.nonce
            )
        }
        #expect(try Hex.encode(built) == vector.text("hex"))
    }

    @Test("the key of the TLS channel is known", arguments: VectorFile.vectors(of: "ap_psk"))
    func preSharedKey(_ vector: Vector) throws {
        let key =
            try vector.text("mode") == "fixed"
            ? HotspotKey.fixed
            : HotspotKey.pin(vector.text("pincode"), uuid: vector.text("uuid"))
        #expect(try key.identity == vector.text("identity"))
        #expect(try Hex.encode(key.key.exposedBytes) == vector.text("psk_hex"))
        #expect(Int(key.port) == (try vector.int("tcp_port")))
        #expect(try "0x" + String(HotspotKey.cipherSuite, radix: 16, uppercase: true) == vector.text("cipher_suite"))
    }

    @Test("a device's error has the vendor's number", arguments: VectorFile.vectors(of: "ap_error"))
    func errors(_ vector: Vector) throws {
        let code = PairingErrorCode(deviceCode: try vector.int("device_code"))
        #expect(code?.rawValue == (try vector.int("expect")))
    }
}
