import EventLoop
import HomeModel
import TuyaProtocol

/// Watches the first connection to a device until it is clear whether its key fits.
@Loop
final class TrialWatch: SessionDelegate {
    let outcome = Once<LinkFailure?>()
    /// What went wrong last, where nothing is clear yet.
    private(set) var lastFailure: LinkFailure?
    private let versionIsKnown: Bool

    /// - Parameter versionIsKnown: otherwise another version may be the reason where a key seems not to fit.
    init(versionIsKnown: Bool) { self.versionIsKnown = versionIsKnown }

    func sessionStatusChanged(_ session: DeviceSession) {
        switch session.status {
        case .starting: break
        case .online: outcome.happen(nil)
        case .offline(let failure):
            lastFailure = failure
            if isFinal(failure) { outcome.happen(failure) }
        }
    }

    private func isFinal(_ failure: LinkFailure) -> Bool {
        switch failure {
        case .keyRefused(.proof), .idRefused, .unsupportedVersion, .keyMissing: true
        case .keyRefused, .versionRefused: versionIsKnown
        default: false
        }
    }

    func session(_ session: DeviceSession, reported report: StatusReport, _ origin: ReportOrigin) {}
    func session(_ session: DeviceSession, queryOf child: String?, endedWith error: CommandError?) {}
    func session(_ session: DeviceSession, lists online: [String], offline: [String]) {}
    func session(_ session: DeviceSession, learned version: ProtocolVersion) {}
    func session(_ session: DeviceSession, notes note: SessionNote) {}
}
