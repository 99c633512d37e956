internal import EventLoop
public import HomeModel
public import JSON

/// Begins a pairing session.
public struct PairingStart: Sendable {
    /// Which session; the gateway chooses it.
    public var session: PairingID
    /// One of the methods in the plugin's manifest.
    public var method: String
    /// The home that the device shall belong to.
    public var home: HomeID?
    /// The step to begin at, after a session that failed; a plugin may begin at an earlier one.
    public var from: String?
    /// What the person gave at the start, checked against the method's form; may hold secrets, never log it.
    public var input: JSONObject

    /// Describes a session to begin.
    public init(session: PairingID, method: String, home: HomeID?, from: String? = nil, input: JSONObject) {
        self.session = session
        self.method = method
        self.home = home
        self.from = from
        self.input = input
    }
}

/// Asks the gateway to move its radio to a network, for a session.
public struct WiFiJoin: Sendable {
    /// Which session needs it; the radio comes back when it ends.
    public var session: PairingID
    /// The network's name.
    public var ssid: String
    /// Its password; nil for an open network.
    ///
    /// Never log it.
    public var passphrase: String?

    /// Describes a move.
    public init(session: PairingID, ssid: String, passphrase: String? = nil) {
        self.session = session
        self.ssid = ssid
        self.passphrase = passphrase
    }
}

extension DeviceAdapter {
    /// An adapter without pairing refuses it.
    public func startPairing(_ start: PairingStart) async throws(CommandError) {
        throw CommandError(.capabilityMissing, "The plugin pairs no devices.")
    }

    /// An adapter without pairing has no session.
    public func answerPairing(_ session: PairingID, input: JSONObject) async throws(CommandError) {
        throw CommandError(.badRequest, "The plugin has no session \(session).")
    }

    /// An adapter without pairing has nothing to cancel.
    public func cancelPairing(_ session: PairingID) async {}

    /// An adapter without pairing never asked for a network.
    public func wifiLost(_ session: PairingID, ssid: String) {}
}
