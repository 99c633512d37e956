/// A network that a simulated device sees, and what becomes of joining it.
package struct ScriptedNetwork: Sendable, Equatable {
    /// Its name; empty for a hidden one, which is never listed.
    package var ssid: String
    /// Empty for an open network.
    package var password: String
    /// dBm.
    package var signal: Int
    /// 0 open, 1 WEP, 2 WPA, 3 WPA2, 4 WPA/WPA2, 5 WPA/WPA3-SAE.
    package var security: Int
    package var outcome: JoinOutcome
    /// Whether it is joined but not listed, as hidden networks are.
    package var isHidden: Bool

    package init(
        ssid: String,
        password: String = "",
        signal: Int = -50,
        security: Int? = nil,
        outcome: JoinOutcome = .joins,
        isHidden: Bool = false
    ) {
        self.ssid = ssid
        self.password = password
        self.signal = signal
        self.security = security ?? (password.isEmpty ? 0 : 4)
        self.outcome = outcome
        self.isHidden = isHidden
    }
}
