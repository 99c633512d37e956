import HomeModel
import JSON

/// The parameters of a message, read with errors that name the key.
struct Params {
    let method: WireMethod
    let members: JSONObject

    init(_ members: JSONObject, of method: WireMethod) {
        self.method = method
        self.members = members
    }

    func invalid(_ problem: String) -> WireFailure { .invalid(method.rawValue, problem) }

    func text(_ key: String) throws(WireFailure) -> String {
        guard let value = members[key]?.stringValue else { throw invalid("\"\(key)\" must be text.") }
        return value
    }

    func optionalText(_ key: String) throws(WireFailure) -> String? {
        guard let value = members[key], !value.isNull else { return nil }
        guard let text = value.stringValue else { throw invalid("\"\(key)\" must be text.") }
        return text
    }

    func integer(_ key: String) throws(WireFailure) -> Int {
        guard let value = members[key]?.intValue else { throw invalid("\"\(key)\" must be an integer.") }
        return value
    }

    func optionalInteger(_ key: String) throws(WireFailure) -> Int? {
        guard let value = members[key], !value.isNull else { return nil }
        return try integer(key)
    }

    func optionalBool(_ key: String) throws(WireFailure) -> Bool? {
        guard let value = members[key], !value.isNull else { return nil }
        guard let bool = value.boolValue else { throw invalid("\"\(key)\" must be true or false.") }
        return bool
    }

    func object(_ key: String) throws(WireFailure) -> JSONObject {
        guard let value = members[key]?.objectValue else { throw invalid("\"\(key)\" must be an object.") }
        return value
    }

    func optionalObject(_ key: String) throws(WireFailure) -> JSONObject? {
        guard let value = members[key], !value.isNull else { return nil }
        guard let object = value.objectValue else { throw invalid("\"\(key)\" must be an object.") }
        return object
    }

    /// A vendor's id: 1 to 256 bytes.
    func device(_ key: String = "device") throws(WireFailure) -> VendorID {
        let text = try text(key)
        guard !text.isEmpty, text.utf8.count <= 256 else { throw invalid("\"\(key)\" must have 1 to 256 bytes.") }
        return VendorID(text)
    }

    /// Vendors' ids; absent is none.
    func devices(_ key: String) throws(WireFailure) -> [VendorID] {
        let list = try texts(key) ?? []
        guard list.allSatisfy({ !$0.isEmpty && $0.utf8.count <= 256 }) else {
            throw invalid("\"\(key)\" must hold texts of 1 to 256 bytes.")
        }
        return list.map(VendorID.init)
    }

    /// The id of a pairing session.
    func session() throws(WireFailure) -> PairingID {
        guard let id = PairingID(try text("session")) else { throw invalid("\"session\" must be a session id.") }
        return id
    }

    func optionalDevice(_ key: String = "device") throws(WireFailure) -> VendorID? {
        guard let value = members[key], !value.isNull else { return nil }
        return try device(key)
    }

    /// A moment in milliseconds since 1970.
    func moment(_ key: String) throws(WireFailure) -> Timestamp {
        Timestamp(milliseconds: Int64(try integer(key)))
    }

    /// A duration in milliseconds, cut to what a request may reasonably take.
    func milliseconds(_ key: String) throws(WireFailure) -> Duration {
        min(.milliseconds(max(try integer(key), 0)), .longestDeadline)
    }

    /// An object whose values are all text.
    func secrets(_ key: String) throws(WireFailure) -> Secrets? {
        guard let object = try optionalObject(key) else { return nil }
        var values: [String: String] = [:]
        for (name, value) in object {
            guard let text = value.stringValue else { throw invalid("\"\(key)\" must hold texts only.") }
            values[name] = text
        }
        return Secrets(values)
    }

    func texts(_ key: String) throws(WireFailure) -> [String]? {
        guard let value = members[key], !value.isNull else { return nil }
        let texts = value.arrayValue?.compactMap(\.stringValue)
        guard let texts, texts.count == value.arrayValue?.count else {
            throw invalid("\"\(key)\" must be a list of texts.")
        }
        return texts
    }
}

extension Secrets {
    /// The values in clear, for the wire alone.
    var wire: JSONObject {
        JSONObject(exposed.sorted { $0.key < $1.key }.map { ($0.key, JSON.string($0.value)) })
    }
}

extension Duration {
    /// The longest time that a request may be given.
    static let longestDeadline = Duration.seconds(3600)

    /// Whole milliseconds within 0...``longestDeadline``, rounded down.
    var wireMilliseconds: Int {
        let (seconds, attoseconds) = Swift.min(Swift.max(self, .zero), Self.longestDeadline).components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
