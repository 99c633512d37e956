import Crypto
import JSON
import Testing
import TuyaProtocol

struct CloudVectorTests {
    @Test("a request is signed", arguments: VectorFile.vectors(of: "cloud_sign"))
    func signature(_ vector: Vector) throws {
        let isOld = vector["legacy_algorithm"]?.boolValue == true
        let signer = CloudSigner(
            clientID: try vector.text("client_id"),
            secret: SecretKey([UInt8](try vector.text("secret").utf8)),
            algorithm: isOld ? .old : .current
        )
        let request = CloudSigner.Request(
            method: try vector.text("method"),
            path: try vector.text("path"),
            query: try vector.object("query").map { ($0.key, $0.value.stringValue ?? "") },
            body: [UInt8](try vector.text("body").utf8),
            signedHeaders: try vector.list("signed_headers").map {
                (try #require($0[0]?.stringValue), try #require($0[1]?.stringValue))
            }
        )
        if !isOld { #expect(try CloudSigner.stringToSign(request) == vector.text("string_to_sign")) }
        let (token, time, nonce) = try (vector.text("access_token"), vector.text("t"), vector.text("nonce"))
        let input = try signer.input(request, accessToken: token, time: time, nonce: nonce)
        #expect(try input == vector.text("sign_input"))
        let signature = try signer.signature(request, accessToken: token, time: time, nonce: nonce)
        #expect(try signature == vector.text("expect"))
    }

    @Test("an answer of the cloud has its class", arguments: VectorFile.vectors(of: "cloud_reply"))
    func outcome(_ vector: Vector) throws {
        let outcome = CloudOutcome(try #require(vector["reply"]))
        #expect(try outcome.name == vector.text("expect"))
    }

    @Test("the answer about a token says how far pairing is", arguments: VectorFile.vectors(of: "pair_poll"))
    func poll(_ vector: Vector) throws {
        let poll = PairingPoll(try #require(vector["reply"]))
        let expected = try vector.nested("expect")
        #expect(try poll.name == expected.text("state"))
        var devices: [JSON] = []
        var refused: [PairingPoll.Failure] = []
        switch poll {
        case .paired(let ids, let failures): (devices, refused) = (ids.map { .string($0) }, failures)
        case .failed(let failures): refused = failures
        case .pending, .cloudError: break
        }
        if let ids = expected["device_ids"]?.arrayValue { #expect(devices == ids) }
        if let failures = expected["failures"]?.arrayValue {
            let seen: [JSON] = refused.map {
                ["device_id": .string($0.deviceID), "code": .string($0.code), "msg": .string($0.message)]
            }
            #expect(seen == failures)
        }
    }
}
