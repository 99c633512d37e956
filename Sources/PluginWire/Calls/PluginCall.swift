public import HomeModel
public import JSON

/// Every request that a plugin makes of the gateway.
public enum PluginCall: Sendable, Equatable {
    /// `secret/store {"device"?,"name","value"}`: keeps a secret, sealed; the result is `{}`.
    case storeSecret(device: VendorID?, name: String, value: HiddenText)
    /// `store/get {"key"}`: reads a kept value; the result is `{"value"}`, without the member where nothing is kept.
    case storedValue(key: String)
    /// `store/set {"key","value"?}`: keeps a value, or removes it where `value` is absent; the result is `{}`.
    case storeValue(key: String, value: JSON?)
}

extension PluginCall {
    /// The longest key of a kept value, and the longest name of a secret, in bytes.
    public static let maxKeyBytes = 128
    /// The longest kept value, in bytes of its JSON.
    public static let maxValueBytes = 64 << 10

    /// Reads a request.
    ///
    /// - Throws: "method not found", "invalid params" or `too_large`.
    public init(method name: String, params members: JSONObject) throws(WireFailure) {
        switch WireMethod(rawValue: name) {
        case .secretStore:
            let params = Params(members, of: .secretStore)
            let value = try params.text("value")
            try Self.checkSize(value.utf8.count, params)
            self = .storeSecret(
                device: try params.optionalDevice(),
                name: try Self.key("name", params),
                value: HiddenText(value)
            )
        case .storeGet:
            self = .storedValue(key: try Self.key("key", Params(members, of: .storeGet)))
        case .storeSet:
            let params = Params(members, of: .storeSet)
            let value = members["value"]
            if let value { try Self.checkSize(value.serialized().count, params) }
            self = .storeValue(key: try Self.key("key", params), value: value)
        default:
            throw .unknown(name)
        }
    }

    /// The request as a line.
    public func line(id: WireID) -> [UInt8] {
        let method: WireMethod
        var params = JSONObject()
        switch self {
        case .storeSecret(let device, let name, let value):
            method = .secretStore
            if let device { params["device"] = .string(device.text) }
            params["name"] = .string(name)
            params["value"] = .string(value.exposed)
        case .storedValue(let key):
            method = .storeGet
            params["key"] = .string(key)
        case .storeValue(let key, let value):
            method = .storeSet
            params["key"] = .string(key)
            if let value { params["value"] = value }
        }
        return WireMessage.request(id: id, method: method.rawValue, params: params).line
    }

    private static func key(_ name: String, _ params: Params) throws(WireFailure) -> String {
        let key = try params.text(name)
        guard !key.isEmpty, key.utf8.count <= maxKeyBytes else {
            throw params.invalid("\"\(name)\" must have 1 to \(maxKeyBytes) bytes.")
        }
        return key
    }

    private static func checkSize(_ bytes: Int, _ params: Params) throws(WireFailure) {
        guard bytes <= maxValueBytes else {
            throw WireFailure(
                CommandError(.tooLarge, "\(params.method.rawValue): a value has at most \(maxValueBytes) bytes.")
            )
        }
    }
}
