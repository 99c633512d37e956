package import DeviceInterface
package import EventLoop
package import HomeModel
package import Hub
import JSON

/// A radio that goes where it is told, and may ask a person.
@Loop
package final class FakeWiFi: WiFiPort {
    package var way = "manual"
    package var sightings = [WiFiSighting(ssid: "SmartLife-1A2B", signal: -40, frequency: 2412, isSecured: false)]
    /// Where the radio is; nil for home.
    package private(set) var joined: String?
    /// Everything that it was told, in order.
    package private(set) var moves: [String] = []
    /// What a person is asked before each join and each leave.
    package var question: InputForm?
    /// What it was answered.
    package private(set) var answers: [String] = []
    package var failure: CommandError?
    package var onLost: (@Loop (PairingID, String) -> Void)?
    package let fact = Fact()

    package init() {}

    package func preflight() async -> [WiFiFinding] { [WiFiFinding(.ok, check: "radio", "There is one.")] }

    package func scan() async throws(CommandError) -> [WiFiSighting] { sightings }

    package func join(_ join: WiFiJoin, prompt: @escaping WiFiPrompt) async throws(CommandError) -> WiFiPlace {
        moves.append("join \(join.ssid)")
        fact.changed()
        if let failure { throw failure }
        if let question { answers.append(JSON.object(try await prompt(question)).text) }
        joined = join.ssid
        fact.changed()
        return WiFiPlace(interface: "wlan9", address: "192.168.175.2", prefix: 24, gateway: "192.168.175.1")
    }

    package func leave(for session: PairingID, prompt: @escaping WiFiPrompt) async throws(CommandError) {
        moves.append("leave")
        fact.changed()
        if joined != nil, let question { answers.append(JSON.object(try await prompt(question)).text) }
        joined = nil
        fact.changed()
    }
}
