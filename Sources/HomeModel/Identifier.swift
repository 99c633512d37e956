/// A stable name that is legal in an MQTT topic, in Home Assistant's discovery and in Homie: `^[a-z0-9][a-z0-9-]{0,62}$`.
///
/// `Subject` only keeps a device's id from being used as a room's.
public struct Identifier<Subject>: Hashable, Sendable, CustomStringConvertible {
    /// The id as it stands in topics and payloads.
    public let text: String

    /// Takes an id over as it is.
    ///
    /// - Returns: nil where `text` does not match the pattern above.
    public init?(_ text: String) {
        let bytes = text.utf8
        guard let first = bytes.first, first != UInt8(ascii: "-"), bytes.count <= 63, bytes.allSatisfy(isIdentifierByte)
        else { return nil }
        self.text = text
    }

    /// The id itself.
    public var description: String { text }

    /// Makes an id from any text: lower case, every other character to `-`, repeats collapsed, ends trimmed.
    ///
    /// - Parameter source: what the id is made from, for a device the vendor's own id.
    /// - Parameter isTaken: whether an id is in use for something else.
    /// - Parameter digest: lower-case hex of SHA-256 of `source`; asked only when the plain form is empty or taken.
    /// - Returns: the plain form (cut to 54 characters where the digest is appended), unique as far as `isTaken` knows.
    /// - Source: mqtt-conventions, section 1, rule 4.
    public static func derived(from source: String, isTaken: (Self) -> Bool, digest: (String) -> String) -> Self {
        let plain = slug(source)
        if let id = Self(String(plain.prefix(63))), plain.utf8.count <= 63, !isTaken(id) { return id }
        let hash = digest(source)
        var length = 8
        while true {
            let head = plain.isEmpty ? "" : String(plain.prefix(62 - length)) + "-"
            if let id = Self(head + hash.prefix(length)), !isTaken(id) || length >= hash.utf8.count { return id }
            precondition(length < 62, "a SHA-256 digest has 64 digits")
            length += 8
        }
    }
}

extension Identifier: Comparable {
    /// Orders by the text's bytes.
    public static func < (one: Self, other: Self) -> Bool { one.text < other.text }
}

private func isIdentifierByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
    default: false
    }
}

private func slug(_ source: String) -> String {
    var out: [UInt8] = []
    for byte in source.lowercased().utf8 {
        if isIdentifierByte(byte), byte != UInt8(ascii: "-") {
            out.append(byte)
        } else if let last = out.last, last != UInt8(ascii: "-") {
            out.append(UInt8(ascii: "-"))
        }
    }
    while out.last == UInt8(ascii: "-") { out.removeLast() }
    return String(decoding: out, as: UTF8.self)
}

/// Names the subject of ``DeviceID``.
public enum DeviceSubject {}
/// Names the subject of ``PluginID``.
public enum PluginSubject {}
/// Names the subject of ``HomeID``.
public enum HomeSubject {}
/// Names the subject of ``RoomID``.
public enum RoomSubject {}

/// A device as the world knows it, in topics and requests; stable for the life of the device.
public typealias DeviceID = Identifier<DeviceSubject>
/// A plugin, as its manifest names it.
public typealias PluginID = Identifier<PluginSubject>
/// A home.
public typealias HomeID = Identifier<HomeSubject>
/// A room of a home.
public typealias RoomID = Identifier<RoomSubject>
