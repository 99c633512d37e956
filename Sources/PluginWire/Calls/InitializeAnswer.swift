public import JSON

/// The result of `initialize`.
public struct InitializeAnswer: Sendable, Equatable {
    /// The version that will be spoken.
    public var version: Int
    /// The plugin's own id.
    public var plugin: String
    /// The plugin's version.
    public var pluginVersion: String
    /// Additions to the protocol that the plugin knows.
    public var features: [String]

    /// States what was agreed.
    public init(version: Int, plugin: String, pluginVersion: String, features: [String] = []) {
        self.version = version
        self.plugin = plugin
        self.pluginVersion = pluginVersion
        self.features = features
    }

    /// `{"protocol","plugin","version","features"}`.
    public var json: JSON {
        [
            "protocol": JSON(version), "plugin": .string(plugin), "version": .string(pluginVersion),
            "features": .array(features.map(JSON.string)),
        ]
    }

    /// Reads the form that ``json`` writes; only `protocol` is needed.
    public init(json: JSON) throws(WireFault) {
        guard let version = json["protocol"]?.intValue else {
            throw .badResult("initialize: \"protocol\" must be a version")
        }
        self.version = version
        plugin = json["plugin"]?.stringValue ?? ""
        pluginVersion = json["version"]?.stringValue ?? ""
        features = json["features"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }
}
