import Crypto
import JSON
import Testing
import TuyaProtocol

struct DiscoveryTests {
    static let fields: JSONObject = ["ip": "10.0.0.7", "gwId": "bf01", "version": "3.3", "productKey": "key", "new": 1]

    private func error(_ datagram: [UInt8]) throws -> String? {
        guard case .drop(let error) = try DiscoveryDecoder().classify(datagram) else { return nil }
        return error.code
    }

    @Test("what a device of each version announces is read back", arguments: ProtocolVersion.supported)
    func roundTrip(version: ProtocolVersion) throws {
        var fields = Self.fields
        fields["version"] = .string(version.text)
        let datagram = try DiscoveryEncoder().announcement(version: version, fields: fields)
        let message = try DiscoveryDecoder().classify(datagram + [1, 2, 3])
        guard case .device(let beacon) = message else {
            Issue.record("\(message)")
            return
        }
        #expect(beacon.version == version)
        #expect(beacon.gatewayID == "bf01")
        #expect(beacon.address == "10.0.0.7")
        #expect(beacon.productKey == "key")
        #expect(beacon.fields["new"] == 1)
    }

    @Test("our own question is known as such")
    func request() throws {
        let datagram = try DiscoveryEncoder().request(address: "192.168.1.10")
        let message = try DiscoveryDecoder().classify(datagram)
        #expect(message.code == "own_request")
        #expect(message.beacon?.fields == ["from": "app", "ip": "192.168.1.10"])
    }

    @Test("a version that nobody knows is listed as it is")
    func unknownVersion() throws {
        let datagram = try DiscoveryEncoder().announcement(
            version: .v35,
            fields: ["gwId": "bf01", "version": "3.6"]
        )
        let version = try DiscoveryDecoder().classify(datagram).beacon?.version
        #expect(version == .unknown("3.6"))
        #expect(version?.isSupported == false)
    }

    @Test("each kind of damage has its code")
    func damage() throws {
        let encoder = try DiscoveryEncoder()
        let good = try encoder.announcement(version: .v33, fields: Self.fields)
        let sealed = try encoder.announcement(version: .v35, fields: Self.fields)
        #expect(try error([]) == "unknown_datagram")
        #expect(try error([UInt8](repeating: 7, count: 17)) == "unknown_datagram")
        #expect(try error([UInt8](repeating: 7, count: 32)) == "bad_padding")
        #expect(try error([UInt8](good.prefix(15))) == "truncated")
        #expect(try error([UInt8](good.dropLast())) == "truncated")
        #expect(try error([UInt8](sealed.prefix(17))) == "truncated")
        #expect(try error([UInt8](sealed.dropLast())) == "truncated")
        #expect(try error(changing(good, at: good.count - 1)) == "bad_suffix")
        #expect(try error(changing(good, at: 30)) == "crc_mismatch")
        #expect(try error(changing(sealed, at: 40)) == "gcm_auth_failed")
        #expect(try error(good.prefix(12) + [0, 0, 0, 4, 0, 0, 0, 0]) == "bad_length")
        #expect(try error(sealed.prefix(14) + [0, 0, 0, 27] + [UInt8](repeating: 0, count: 60)) == "bad_length")
        let json = try encoder.datagram(.clear, .announcement, returnCode: 0, body: [UInt8]("{\"a\":".utf8))
        #expect(try error(json) == "bad_json")
        let text = try encoder.datagram(.clear, .announcement, returnCode: 0, body: [UInt8]("hello".utf8))
        #expect(try error(text) == "bad_ciphertext_length")
        let array = try encoder.datagram(.ecb, .announcement, returnCode: 0, body: [UInt8]("[1]".utf8))
        #expect(try error(array) == "bad_json")
        let anonymous = try encoder.announcement(version: .v33, fields: ["gwId": "", "ip": "1.2.3.4"])
        #expect(try error(anonymous) == "missing_gwId")
    }

    @Test("a device in its hotspot is known by its command or by apConfigType")
    func hotspot() throws {
        let encoder = try DiscoveryEncoder()
        let body = JSON.object(["uuid": "u1", "active": 0, "sl": 1, "apConfigType": 1]).serialized()
        for command in [Command.hotspotAnnouncement, .announcement] {
            let datagram = try encoder.datagram(.sealed, command, returnCode: 0, body: body)
            let message = try DiscoveryDecoder().classify(datagram)
            #expect(message.code == "ap_device")
            #expect(message.beacon?.uuid == "u1")
            #expect(message.beacon?.isActivated == false)
            #expect(message.beacon?.securityLevel == 1)
        }
    }

    @Test("an announcement whose ciphertext begins with a brace is read")
    func cipherLikeJSON() throws {
        let (encoder, decoder) = try (DiscoveryEncoder(), DiscoveryDecoder())
        var found = 0
        for number in 0..<4096 {
            let fields: JSONObject = ["ip": .string("1\(number).0.0.1"), "gwId": "bf01"]
            let datagram = try encoder.announcement(version: .v33, fields: fields)
            guard datagram[20] == UInt8(ascii: "{") else { continue }
            found += 1
            #expect(decoder.classify(datagram).beacon?.fields == fields)
        }
        #expect(found > 0)
    }

    private func changing(_ bytes: [UInt8], at index: Int) -> [UInt8] {
        var bytes = bytes
        bytes[index] ^= 0x40
        return bytes
    }
}
