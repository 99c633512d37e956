import EventLoop
import Hub

/// A network to be joined.
struct WiFiMove {
    /// The session that asked, as text.
    var session: String
    /// The network's name.
    var ssid: String
    /// Its password, never empty; keep it out of logs, errors and command lines.
    var passphrase: String?
    /// Asks the person.
    var prompt: WiFiPrompt
}
