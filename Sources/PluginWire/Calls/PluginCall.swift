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
    /// `wifi/scan {"session"}`: the networks that the gateway's radio sees; the result is a ``WiFiScanAnswer``.
    case scanWiFi(PairingID)
    /// `wifi/join {"session","ssid","passphrase"?}`: moves the radio to a network; the result is a ``WiFiJoinAnswer``.
    case joinWiFi(PairingID, ssid: String, passphrase: HiddenText?)
    /// `wifi/leave {"session"}`: moves the radio back; the result is `{}`.
    case leaveWiFi(PairingID)
}

extension PluginCall {
    /// The longest key of a kept value, and the longest name of a secret, in bytes.
    public static let maxKeyBytes = 128
    /// The longest kept value, in bytes of its JSON.
    public static let maxValueBytes = 64 << 10
    /// The longest name of a network, in bytes.
    public static let maxSSIDBytes = 32
    /// The longest passphrase of a network, in bytes: a key in hexadecimal digits.
    public static let maxPassphraseBytes = 64

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
        case .wifiScan:
            self = .scanWiFi(try Params(members, of: .wifiScan).session())
        case .wifiJoin:
            let params = Params(members, of: .wifiJoin)
            let passphrase = try params.optionalText("passphrase")
            guard (passphrase?.utf8.count ?? 0) <= Self.maxPassphraseBytes else {
                throw params.invalid("\"passphrase\" must have at most \(Self.maxPassphraseBytes) bytes.")
            }
            self = .joinWiFi(
                try params.session(),
                ssid: try Self.key("ssid", params, upTo: Self.maxSSIDBytes),
                passphrase: passphrase.map(HiddenText.init)
            )
        case .wifiLeave:
            self = .leaveWiFi(try Params(members, of: .wifiLeave).session())
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
        case .scanWiFi(let session):
            method = .wifiScan
            params["session"] = .string(session.text)
        case .joinWiFi(let session, let ssid, let passphrase):
            method = .wifiJoin
            params["session"] = .string(session.text)
            params["ssid"] = .string(ssid)
            if let passphrase { params["passphrase"] = .string(passphrase.exposed) }
        case .leaveWiFi(let session):
            method = .wifiLeave
            params["session"] = .string(session.text)
        }
        return WireMessage.request(id: id, method: method.rawValue, params: params).line
    }

    private static func key(
        _ name: String,
        _ params: Params,
        upTo limit: Int = maxKeyBytes
    ) throws(WireFailure) -> String {
        let key = try params.text(name)
        guard !key.isEmpty, key.utf8.count <= limit else {
            throw params.invalid("\"\(name)\" must have 1 to \(limit) bytes.")
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
