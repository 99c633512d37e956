import Crypto
import JSON
import Testing
import TuyaProtocol

/// One entry of a vector file.
struct Vector: Sendable, CustomTestStringConvertible {
    let json: JSON

    var name: String { json["name"]?.stringValue ?? "?" }
    var testDescription: String { name }

    subscript(key: String) -> JSON? { json[key] }

    func text(_ key: String) throws -> String { try #require(json[key]?.stringValue, "\(name): no text \(key)") }
    func int(_ key: String) throws -> Int { try #require(json[key]?.intValue, "\(name): no integer \(key)") }
    func number(_ key: String) throws -> Double { try #require(json[key]?.doubleValue, "\(name): no number \(key)") }
    func bytes(_ key: String) throws -> [UInt8] { try Hex.decode(text(key)) }
    func object(_ key: String) throws -> JSONObject {
        try #require(json[key]?.objectValue, "\(name): no object \(key)")
    }
    func list(_ key: String) throws -> [JSON] { try #require(json[key]?.arrayValue, "\(name): no list \(key)") }
    func nested(_ key: String) throws -> Vector { Vector(json: .object(try object(key))) }

    var version: ProtocolVersion {
        get throws { ProtocolVersion(text: try text("version")) }
    }

    /// The key in force: `key_hex`, or `key` as ISO 8859-1.
    var key: SecretKey {
        get throws {
            if json["key_hex"] != nil { return SecretKey(try bytes("key_hex")) }
            return try LocalKey(text("key")).secret
        }
    }

    var command: Command {
        get throws { Command(rawValue: UInt32(try int("cmd"))) }
    }

    var sequence: UInt32 {
        get throws { UInt32(try int("seq")) }
    }

    var returnCode: Int32? { json["retcode"]?.intValue.map(Int32.init) }

    /// 12 bytes, if the vector fixes them.
    var nonce: [UInt8]? {
        get throws { json["iv_hex"] == nil ? nil : try bytes("iv_hex") }
    }

    /// Whether building the bytes is asked for, and not only reading them.
    var asksForEncoding: Bool { json["encode"]?.boolValue ?? true }

    var isFromDevice: Bool { json["direction"]?.stringValue == "from_device" }
}
