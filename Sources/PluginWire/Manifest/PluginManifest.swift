public import HomeModel

/// What `plugin.json` says of a plugin.
public struct PluginManifest: Sendable, Equatable {
    /// What a plugin's devices hang on.
    public enum Network: String, Sendable {
        /// Nothing outside this machine.
        case none
        /// The local network.
        case lan
        /// A vendor's servers.
        case internet
    }

    /// What a plugin needs of its surroundings.
    public struct Needs: Sendable, Equatable {
        /// What its devices hang on.
        public var network: Network = .lan
        /// Whether pairing moves the gateway's own Wi-Fi.
        public var wifi = false
    }

    /// The plugin's id, in topics and in the configuration.
    public var id: PluginID
    /// What people call it: 1 to 64 characters.
    public var name: String
    /// Its version, for people.
    public var version: String
    /// The protocol versions that it speaks.
    public var protocols: ProtocolRange
    /// A path relative to the manifest's folder, or a bare name.
    public var executable: String
    /// What the executable is called with.
    public var arguments: [String] = []
    /// Whose devices it serves.
    public var vendor: String
    /// One sentence for people.
    public var summary: String
    /// A JSON Schema of its section of the configuration: a path relative to the manifest's folder.
    public var configSchema: String?
    /// Keys of its configuration and of its devices' secrets that must never be shown.
    public var secrets: [String] = []
    /// Ways to bring a device in, each with an id of its own.
    public var pairing: [PairingMethod] = []
    /// What it needs of its surroundings.
    public var needs = Needs()
    /// Keys that this version of the gateway does not know, perhaps misspelt.
    public var unknownKeys: [String] = []
}
