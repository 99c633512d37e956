public import HomeModel
public import JSON

/// `initialize`: what a plugin gets at its start.
public struct InitializeCall: Sendable {
    /// The versions that the gateway speaks.
    public var protocols: ProtocolRange
    /// The gateway's version, for logs.
    public var gateway: String
    /// The plugin's section of the configuration, secrets included.
    public var config: JSON
    /// Devices that the gateway knows, besides those of earlier ``DevicesCall``s.
    public var devices: [WireDevice]
    /// Secrets that the plugin stored for itself.
    public var secrets: Secrets
    /// A folder that belongs to this plugin alone.
    public var stateDirectory: String
    /// Additions to the protocol that the gateway knows.
    public var features: [String]

    /// Describes a start.
    public init(
        protocols: ProtocolRange = .ours,
        gateway: String,
        config: JSON,
        devices: [WireDevice] = [],
        secrets: Secrets = Secrets(),
        stateDirectory: String,
        features: [String] = []
    ) {
        self.protocols = protocols
        self.gateway = gateway
        self.config = config
        self.devices = devices
        self.secrets = secrets
        self.stateDirectory = stateDirectory
        self.features = features
    }
}

extension InitializeCall {
    /// `{"protocols","gateway","config","devices","secrets"?,"stateDir","features"}`; holds the secrets in clear.
    public var params: JSONObject {
        var params: JSONObject = ["protocols": .array(protocols.versions.map { JSON($0) })]
        params["gateway"] = .string(gateway)
        params["config"] = config
        params["devices"] = .array(devices.map { .object($0.json) })
        if !secrets.isEmpty { params["secrets"] = .object(secrets.wire) }
        params["stateDir"] = .string(stateDirectory)
        params["features"] = .array(features.map(JSON.string))
        return params
    }

    /// Reads the form that ``params`` writes; what may be absent: config, devices, secrets, features.
    public init(params members: JSONObject) throws(WireFailure) {
        let params = Params(members, of: .initialize)
        let versions = members["protocols"]?.arrayValue?.compactMap(\.intValue)
        guard let versions, !versions.isEmpty else {
            throw params.invalid("\"protocols\" must be a list of versions.")
        }
        protocols = ProtocolRange(versions: versions)
        gateway = try params.text("gateway")
        config = members["config"] ?? [:]
        devices = try WireDevice.list(members, of: .initialize)
        secrets = try params.secrets("secrets") ?? Secrets()
        stateDirectory = try params.text("stateDir")
        features = try params.texts("features") ?? []
    }
}
