public import HomeModel
public import JSON

/// What an adapter gets at its start.
public struct AdapterSetup: Sendable {
    /// The gateway's version, for logs.
    public var gatewayVersion: String
    /// The plugin's section of the configuration, secrets included; never log it.
    public var config: JSON
    /// The devices that the gateway knows of this plugin.
    public var devices: [KnownDevice]
    /// Secrets that the plugin stored for itself, such as accounts.
    public var secrets: Secrets
    /// A folder that belongs to this plugin alone.
    public var stateDirectory: String

    /// Collects what an adapter needs.
    public init(
        gatewayVersion: String,
        config: JSON,
        devices: [KnownDevice],
        secrets: Secrets = Secrets(),
        stateDirectory: String
    ) {
        self.gatewayVersion = gatewayVersion
        self.config = config
        self.devices = devices
        self.secrets = secrets
        self.stateDirectory = stateDirectory
    }
}

/// A device that the gateway remembers from before.
public struct KnownDevice: Sendable {
    /// The plugin's own id.
    public var vendorID: VendorID
    /// The gateway's id, for logs.
    public var id: DeviceID
    /// What the operator set for this device.
    public var options: JSONObject
    /// Secrets that the plugin stored for it.
    public var secrets: Secrets
    /// What the plugin last said of it.
    public var description: DeviceDescription?

    /// Collects what is known of a device.
    public init(
        vendorID: VendorID,
        id: DeviceID,
        options: JSONObject = JSONObject(),
        secrets: Secrets = Secrets(),
        description: DeviceDescription? = nil
    ) {
        self.vendorID = vendorID
        self.id = id
        self.options = options
        self.secrets = secrets
        self.description = description
    }
}

/// A change to what ``AdapterSetup`` gave; what is nil stays.
public struct ConfigurationChange: Sendable {
    /// The plugin's whole new section.
    public var config: JSON?
    /// New options of one device.
    public var device: VendorID?
    /// The options of ``device``, whole.
    public var options: JSONObject?

    /// Describes a change.
    public init(config: JSON? = nil, device: VendorID? = nil, options: JSONObject? = nil) {
        self.config = config
        self.device = device
        self.options = options
    }
}

/// What became of a ``ConfigurationChange``.
public struct ConfigurationResult: Sendable, Equatable {
    /// Whether the plugin must be restarted for some of it.
    public var needsRestart: Bool

    /// States the result.
    public init(needsRestart: Bool) { self.needsRestart = needsRestart }
}
