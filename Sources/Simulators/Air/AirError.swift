/// What goes wrong with a simulated radio; each case has an exit status of the operator's own Wi-Fi command.
package enum AirError: Error, Equatable, Sendable {
    /// No network of this name is on the air.
    case notFound(ssid: String)
    /// The network refuses the passphrase.
    case refused(ssid: String)
    /// A file of the air, or of the radio, cannot be written.
    case file(path: String, code: Int32)
    /// A program that configures the interface failed; its own words.
    case program(String)

    /// 2 for a network that is not found, 3 for a passphrase that is refused, 1 for all else.
    package var exitStatus: Int32 {
        switch self {
        case .notFound: 2
        case .refused: 3
        case .file, .program: 1
        }
    }

    /// One sentence.
    package var message: String {
        switch self {
        case .notFound(let ssid): "No network \"\(ssid)\" is on the air."
        case .refused(let ssid): "The network \"\(ssid)\" refuses the passphrase."
        case .file(let path, let code): "Cannot write \(path) (errno \(code))."
        case .program(let words): words
        }
    }
}
