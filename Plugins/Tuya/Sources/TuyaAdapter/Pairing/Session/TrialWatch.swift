import EventLoop
import HomeModel
import TuyaProtocol

/// Watches the first connection to a device until it is clear whether its key fits.
@Loop
final class TrialWatch: SessionDelegate {
    let outcome = Once<LinkFailure?>()
    /// What went wrong last, where nothing is clear yet.
    private(set) var lastFailure: LinkFailure?
    /// What the device told meanwhile.
    private(set) var reports: [(report: StatusReport, origin: ReportOrigin)] = []
    private let versionIsKnown: Bool

    private var hasRetried = false
    private var timer: LoopTimer?

    /// More is told again when it is asked for.
    private static let reportLimit = 16

    /// - Parameter versionIsKnown: otherwise another version may be the reason where a key seems not to fit.
    init(versionIsKnown: Bool) { self.versionIsKnown = versionIsKnown }

    func sessionStatusChanged(_ session: DeviceSession) {
        switch session.status {
        case .starting: break
        case .online: outcome.happen(nil)
        case .offline(let failure):
            lastFailure = failure
            if isFinal(failure) { return outcome.happen(failure) }
            if mayBeTaken(failure) { retry(session) }
        }
    }

    /// A device that still holds another client may look as if it refused the key.
    private func mayBeTaken(_ failure: LinkFailure) -> Bool {
        switch failure {
        case .keyRefused(.closed), .keyRefused(.silence): versionIsKnown
        default: false
        }
    }

    private func retry(_ session: DeviceSession) {
        hasRetried = true
        timer = LoopTimer(after: session.machine.times.negotiationPause) { [weak self, weak session] in
            guard let self, let session, session.delegate === self else { return }
            session.pause()
            session.start(spread: .zero)
        }
    }

    private func isFinal(_ failure: LinkFailure) -> Bool {
        switch failure {
        case .keyRefused(.proof), .idRefused, .unsupportedVersion, .keyMissing: true
        case .keyRefused(.closed), .keyRefused(.silence): versionIsKnown && hasRetried
        case .keyRefused, .versionRefused: versionIsKnown
        default: false
        }
    }

    func session(_ session: DeviceSession, reported report: StatusReport, _ origin: ReportOrigin) {
        if reports.count < Self.reportLimit { reports.append((report, origin)) }
    }

    func session(_ session: DeviceSession, queryOf child: String?, endedWith error: CommandError?) {}
    func session(_ session: DeviceSession, lists online: [String], offline: [String]) {}
    func session(_ session: DeviceSession, learned version: ProtocolVersion) {}
    func session(_ session: DeviceSession, notes note: SessionNote) {}
}
