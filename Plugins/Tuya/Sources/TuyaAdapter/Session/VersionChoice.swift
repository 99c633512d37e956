package import EventLoop
package import TuyaProtocol

/// Which protocol version to speak with a device: the operator's, else the announced one, else what once worked, else one
/// after the other, slowly, because attempts with the wrong version take some devices off the network.
///
/// Source: protocol description, section 3.10.
package struct VersionChoice: Sendable {
    /// What to do about the version now.
    package enum Step: Equatable, Sendable {
        /// Speak this version; `headerText` differs from it only for a version that the operator wants treated so.
        case speak(ProtocolVersion, headerText: String?)
        /// Nothing before this moment, unless a beacon tells the version.
        case wait(until: MonotonicTime)
        /// The device announces a version that nobody here speaks.
        case unsupported(String)
    }

    /// In this order, because the answer of the negotiating versions proves version and key.
    private static let candidates: [ProtocolVersion] = [.v35, .v34, .v33, .v31]
    private static let rounds = 2

    /// What the device's last beacon said.
    package private(set) var announced: ProtocolVersion?

    private let shared: SharedSettings
    @SpokenVersion private var proven: ProtocolVersion?
    @SpokenVersion private var hint: ProtocolVersion?
    @Moment private var listenUntil: MonotonicTime?
    /// Attempts made in the present two rounds.
    private var attempts: UInt8 = 0

    /// - Parameters:
    ///   - shared: says what the operator wants.
    ///   - proven: a version that worked in an earlier life.
    package init(_ shared: SharedSettings, proven: ProtocolVersion? = nil) {
        self.shared = shared
        self.proven = proven
    }

    /// What the operator wrote down.
    package var pinned: ProtocolVersion? { shared.settings.version }

    /// Whether versions are being tried without anyone having told which.
    package var isProbing: Bool { pinned == nil && announced == nil && proven == nil }

    /// What to do now.
    package mutating func step(at now: MonotonicTime, _ times: SessionTimes) -> Step {
        if let pinned { return .speak(pinned, headerText: nil) }
        if let announced {
            if announced.isSupported { return .speak(announced, headerText: nil) }
            guard let treatUnknownAs = shared.settings.treatUnknownVersionAs else {
                return .unsupported(announced.text)
            }
            return .speak(treatUnknownAs, headerText: announced.text)
        }
        if let proven { return .speak(proven, headerText: nil) }
        let listened = listenUntil ?? now + times.probeListen
        listenUntil = listened
        guard now >= listened else { return .wait(until: listened) }
        return .speak(candidate, headerText: nil)
    }

    /// A session with this version worked.
    ///
    /// - Returns: whether that is worth keeping, since nobody had told it and it was not known.
    package mutating func succeeded(with version: ProtocolVersion) -> Bool {
        let isNews = pinned == nil && proven != version
        proven = version
        hint = nil
        attempts = 0
        return isNews
    }

    /// A session could not be made, and the version may be why.
    package mutating func failed(at now: MonotonicTime, _ times: SessionTimes) {
        guard isProbing else { return }
        hint = nil
        attempts += 1
        guard Int(attempts) >= Self.candidates.count * Self.rounds else { return }
        attempts = 0
        listenUntil = now + times.probeHold
    }

    /// What once worked is in doubt: the device talks, but not so.
    package mutating func forgetProven() { proven = nil }

    /// Something in the device's behaviour speaks for a version.
    package mutating func suspect(_ version: ProtocolVersion) { hint = version }

    /// A beacon told the version.
    ///
    /// - Returns: whether another version will be spoken than before.
    package mutating func announce(_ version: ProtocolVersion) -> Bool {
        let before = announced ?? proven
        announced = version
        return pinned == nil && before != nil && before != version
    }

    private var candidate: ProtocolVersion {
        if let hint { return hint }
        return Self.candidates[Int(attempts) % Self.candidates.count]
    }
}
