package import HomeModel

/// What goes wrong while the radio is looked at or moved.
package enum WiFiError: Error, Equatable, Sendable {
    /// The network is not in reach.
    case notFound(ssid: String)
    /// The network refused the passphrase.
    case refused(ssid: String)
    /// A program, or the network, did not come to an end in time.
    case timedOut(String, after: Duration)
    /// The network gave the interface no address.
    case noAddress(interface: String)
    /// There is no radio, or it may not be moved.
    case noRadio(String)
    /// The way cannot list networks.
    case cannotScan(way: String)
    /// Another session has the radio.
    case busy(session: String)
    /// The session went away meanwhile.
    case cancelled
    /// A program is not there, or failed in a way of its own.
    case program(String, words: String)
    /// A program wrote what makes no sense.
    case output(program: String, String)
    /// The journal cannot be read or written; `code` is the `errno` value.
    case journal(path: String, code: Int32)
    /// The way that moved the radio is not available now.
    case wayGone(String)
    /// The radio is not where it should be after a person moved it.
    case notMoved(String)
    /// The session did not answer a question.
    case unanswered(CommandError)
}

extension WiFiError {
    /// The error as a session sees it.
    package var commandError: CommandError {
        switch self {
        case .notFound(let ssid): CommandError(.deviceNotFound, "The network \"\(ssid)\" is not in reach.")
        case .refused(let ssid): CommandError(.authFailed, "The network \"\(ssid)\" refused the password.")
        case .timedOut(let what, let time): CommandError(.timeout, "\(what) did not end within \(time).")
        case .noAddress(let interface):
            CommandError(
                .timeout,
                "The network gave \(interface) no address.",
                hint: "Is it near enough, and is the device still in pairing mode?"
            )
        case .noRadio(let words): CommandError(.capabilityMissing, words)
        case .cannotScan(let way):
            CommandError(.capabilityMissing, "The way \(way) cannot list networks.", hint: "Give the network's name.")
        case .busy(let session): CommandError(.deviceBusy, "The session \(session) has the radio.")
        case .cancelled: CommandError(.conflict, "The session ended meanwhile.")
        case .program(let program, let words): CommandError(.internal, "\(program): \(words)")
        case .output(let program, let words):
            CommandError(.internal, "\(program) wrote what makes no sense: \(words)")
        case .journal(let path, let code):
            CommandError(
                .internal,
                "The journal of the radio cannot be kept in \(path) (errno \(code)).",
                hint: "The radio is not moved without it, since it could not be brought back after a crash."
            )
        case .wayGone(let way):
            CommandError(
                .internal,
                "The radio was moved by \(way), which is not available now.",
                hint: "Make it available again, or join the home network by hand and remove wifi-journal.json."
            )
        case .notMoved(let words): CommandError(.internal, words)
        case .unanswered(let error): error
        }
    }

    /// One sentence.
    package var words: String { commandError.message }
}
