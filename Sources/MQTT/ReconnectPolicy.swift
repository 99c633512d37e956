/// When, and how, to try again: the rules without clock, dice or network.
///
/// Delays double from 1 s to 60 s; each is drawn from its upper half, so that many clients do not come back together.
/// What a person must mend (credentials, client id, a second instance) waits 60 s at once.
struct ReconnectPolicy: Sendable {
    /// How an attempt, or the connection that came of it, ended.
    enum Ending: Sendable, Equatable {
        /// No connection to the host: name, route, port or time.
        case unreachable
        /// Connected, but the broker did not answer, or not in this protocol.
        case silent
        /// The encryption failed.
        case untrusted
        /// The options cannot be used as they are.
        case misconfigured
        /// The broker answered with a refusal.
        case rejected(code: UInt8)
        /// An accepted connection ended, with the broker's reason if it gave one.
        case lost(code: UInt8?, after: Duration)
    }

    /// Which addresses of a host to try; libmosquitto tries only the first that does not fail at once.
    enum Family: Sendable, Equatable {
        case any
        case ipv4
    }

    /// What to do next.
    struct Retry: Sendable, Equatable {
        var delay: Duration
        /// Whether somebody else seems to use our client id.
        var isDuplicateInstance = false
    }

    static let longest = 60
    /// A connection that ends sooner was probably thrown out.
    static let early = Duration.seconds(5)
    /// So many early ends in a row count as a second instance.
    static let earlyLimit = 3

    /// How to make the next attempt.
    private(set) var version: MQTTVersion
    private(set) var family = Family.any
    private let isAutomatic: Bool
    private var failures = 0
    private var earlyEnds = 0

    init(_ versions: MQTTOptions.Versions) {
        switch versions {
        case .automatic: (version, isAutomatic) = (.v5, true)
        case .only(let only): (version, isAutomatic) = (only, false)
        }
    }

    /// Takes note of an ending.
    ///
    /// - Parameter random: from 0 up to, not including, 1.
    mutating func retry(after ending: Ending, random: Double) -> Retry {
        switch ending {
        case .unreachable:
            family = family == .any ? .ipv4 : .any
            return backOff(random)
        case .untrusted:
            return backOff(random)
        case .misconfigured:
            return Retry(delay: .seconds(Self.longest))
        case .silent:
            guard isAutomatic else { return backOff(random) }
            // Brokers that know only 3.1.1 may close without a word (MQTT 3.1.1, 3.1.2.2).
            if version == .v5 { return fallBack() }
            version = .v5
            return backOff(random)
        case .rejected(let code):
            if isAutomatic && version == .v5 && Self.isVersionRefusal(code) { return fallBack() }
            if Self.needsPerson(code, version) { return Retry(delay: .seconds(Self.longest)) }
            return backOff(random)
        case .lost(let code, let duration):
            if isAutomatic { version = .v5 }
            return lost(code, after: duration, random)
        }
    }

    private mutating func lost(_ code: UInt8?, after duration: Duration, _ random: Double) -> Retry {
        if duration >= Self.early {
            failures = 0
            earlyEnds = 0
        } else {
            earlyEnds += 1
        }
        // 142: session taken over (MQTT 5, 4.13).
        if code == 142 || earlyEnds >= Self.earlyLimit {
            earlyEnds = 0
            return Retry(delay: .seconds(Self.longest), isDuplicateInstance: true)
        }
        return backOff(random)
    }

    private mutating func fallBack() -> Retry {
        version = .v311
        return Retry(delay: .zero)
    }

    private mutating func backOff(_ random: Double) -> Retry {
        let seconds = failures >= 6 ? Self.longest : min(Self.longest, 1 << failures)
        failures = min(failures + 1, 6)
        return Retry(delay: .milliseconds(Int64(Double(seconds) * 1_000 * (0.5 + 0.5 * random))))
    }

    /// 132 in MQTT 5, 1 in 3.1.1, which a 3.1.1 broker also sends to a client of version 5.
    private static func isVersionRefusal(_ code: UInt8) -> Bool { code == 132 || code == 1 }

    /// Whether trying sooner cannot help: identifier, credentials, authorisation, ban.
    private static func needsPerson(_ code: UInt8, _ version: MQTTVersion) -> Bool {
        switch version {
        case .v5: [133, 134, 135, 138, 140].contains(code)
        case .v311: [2, 4, 5].contains(code)
        }
    }
}
