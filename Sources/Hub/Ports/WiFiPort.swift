package import DeviceInterface
package import EventLoop
package import HomeModel
package import JSON

/// Asks a person something on behalf of the radio, within a session; returns the checked answer.
package typealias WiFiPrompt = @Loop (InputForm) async throws(CommandError) -> JSONObject

/// The gateway's own radio, as the hub needs it; `WiFiLink` stands behind it.
@Loop
package protocol WiFiPort: AnyObject {
    /// How the radio is moved: `networkmanager`, `wpa_supplicant`, `command` or `manual`.
    var way: String { get }

    /// Whether a pairing could move the radio now; each finding for a person.
    func preflight() async -> [WiFiFinding]

    /// The networks in reach, strongest first.
    ///
    /// - Throws: `capability_missing` where the way cannot scan, `timeout`, `internal`.
    func scan() async throws(CommandError) -> [WiFiSighting]

    /// Joins a network.
    ///
    /// - Parameter prompt: for the way by hand.
    /// - Throws: `device_not_found` where the network is not in reach, `auth_failed`, `timeout`, `internal`.
    func join(_ join: WiFiJoin, prompt: @escaping WiFiPrompt) async throws(CommandError) -> WiFiPlace

    /// Goes back to where the radio was before ``join(_:prompt:)``; does nothing where it did not move.
    func leave(for session: PairingID, prompt: @escaping WiFiPrompt) async throws(CommandError)

    /// Told when a joined network is gone while nobody left it.
    var onLost: (@Loop (PairingID, String) -> Void)? { get set }
}

/// One finding of ``WiFiPort/preflight()``.
package struct WiFiFinding: Sendable, Equatable {
    /// How bad it is.
    package enum Level: String, Sendable { case ok, warning, failure }

    package var level: Level
    /// `radio`, `home_link`, `band`, `journal` or `way`.
    package var check: String
    /// One sentence.
    package var message: String
    /// What to do about it.
    package var hint: String?

    package init(_ level: Level, check: String, _ message: String, hint: String? = nil) {
        self.level = level
        self.check = check
        self.message = message
        self.hint = hint
    }

    /// `{"level","check","message","hint"?}`.
    package var json: JSON {
        var object: JSONObject = ["level": .string(level.rawValue), "check": .string(check)]
        object["message"] = .string(message)
        if let hint { object["hint"] = .string(hint) }
        return .object(object)
    }
}
