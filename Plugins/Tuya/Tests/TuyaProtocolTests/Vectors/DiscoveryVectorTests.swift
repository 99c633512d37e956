import Crypto
import JSON
import Testing
import TuyaProtocol

struct DiscoveryVectorTests {
    @Test("a datagram is told apart by what is in it", arguments: VectorFile.vectors(of: "discovery"))
    func classifies(_ vector: Vector) throws {
        let message = try DiscoveryDecoder().classify(vector.bytes("hex"))
        let expected = try vector.nested("expect")
        #expect(try message.code == expected.text("kind"))
        if case .drop(let error) = message {
            #expect(try error.code == expected.text("error"))
        } else {
            let beacon = try #require(message.beacon)
            #expect(try beacon.fields == expected.object("json"))
            #expect(try beacon.framing.rawValue == expected.text("framing"))
            #expect(beacon.command.map { Int($0.rawValue) } == expected["cmd"]?.intValue)
        }
    }

    @Test(
        "a datagram is built, bit for bit",
        arguments: VectorFile.vectors(of: "discovery").filter(\.asksForEncoding)
    )
    func builds(_ vector: Vector) throws {
        let fields = try vector.nested("fields")
        let protections: [String: DiscoveryEncoder.Protection] = [
            "55aa-clear": .clear, "55aa-ecb": .ecb, "6699": .sealed,
        ]
        let built = try DiscoveryEncoder().datagram(
            #require(protections[fields.text("framing")]),
            fields.command,
            returnCode: fields.returnCode,
            body: [UInt8](fields.text("plaintext").utf8),
            nonce: fields.nonce
        )
        #expect(try Hex.encode(built) == vector.text("hex"))
    }

    @Test("the fixed keys are digests of their seeds", arguments: VectorFile.vectors(of: "md5_key"))
    func fixedKeys(_ vector: Vector) throws {
        let seed = try vector.text("seed")
        let digest = try Digest.md5([UInt8](seed.utf8))
        #expect(try Hex.encode(digest) == vector.text("expect"))
        let known = ["yGAdlopoPVldABfn": FixedKeys.discovery, "OXLvslCvUxcTPLGO": FixedKeys.hotspot]
        if let key = known[seed] { #expect(key == digest) }
    }
}
