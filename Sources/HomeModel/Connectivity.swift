/// Whether a device can be reached, and if not, why.
public struct Connectivity: Hashable, Sendable {
    /// Whether its connection stands or it answered within its interval.
    public var isOnline: Bool
    /// The reason for being offline; also set while online where a person should know something.
    public var reason: Reason?
    /// One sentence for a person.
    public var detail: String?

    /// States a device's connectivity.
    public init(isOnline: Bool, reason: Reason? = nil, detail: String? = nil) {
        self.isOnline = isOnline
        self.reason = reason
        self.detail = detail
    }

    /// Reachable, nothing to say.
    public static let online = Connectivity(isOnline: true)

    /// Why a device is offline, as a code; plugins may add their own.
    public struct Reason: Hashable, Sendable, RawRepresentable, ExpressibleByStringLiteral {
        /// The code, lower case with underscores.
        public let rawValue: String

        /// Wraps a code.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Wraps a literal code.
        public init(stringLiteral value: String) { rawValue = value }

        /// Known, and not heard of since the gateway started.
        public static let starting: Reason = "starting"
        /// No way to it: no address known, no answer, or the connection was lost.
        public static let unreachable: Reason = "unreachable"
        /// It refuses our key: it was paired again, or the key was typed wrongly.
        public static let keyChanged: Reason = "key_changed"
        /// Its connections are taken, by the vendor's app or by another client.
        public static let heldByOtherClient: Reason = "held_by_other_client"
        /// Its address changed; the new one is being tried.
        public static let addressMoved: Reason = "ip_moved"
        /// It speaks another protocol version than before.
        public static let protocolChanged: Reason = "protocol_changed"
        /// It announces a protocol version that the plugin does not speak.
        public static let unsupportedProtocol: Reason = "unsupported_protocol"
        /// It sleeps and will be back by itself.
        public static let sleeping: Reason = "sleeping"
        /// Its plugin is not running.
        public static let pluginDown: Reason = "plugin_down"
        /// Switched off in the gateway's options.
        public static let disabled: Reason = "disabled"
    }
}
