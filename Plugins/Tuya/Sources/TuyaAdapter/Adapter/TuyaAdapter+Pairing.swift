package import DeviceInterface
import EventLoop
package import HomeModel
package import JSON
import TuyaProtocol

extension TuyaAdapter {
    /// Makes a client of the vendor's cloud for an account.
    package typealias CloudMaker = @Loop (CloudAccount) -> any PairingCloud

    package func startPairing(_ start: PairingStart) async throws(CommandError) {
        guard phase == .running, let desk else { throw CommandError(.internal, "pairing/start comes after start.") }
        guard let method = TuyaPairingMethod(rawValue: start.method) else {
            let known = TuyaPairingMethod.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandError(
                .capabilityMissing,
                "The plugin has no method \"\(start.method.prefix(64))\".",
                hint: "Methods: \(known)."
            )
        }
        guard runs[start.session] == nil else { throw CommandError(.conflict, "The session is under way.") }
        let run = try makeRun(start, method, desk)
        runs[start.session] = run
        run.begin()
    }

    package func answerPairing(_ session: PairingID, input: JSONObject) async throws(CommandError) {
        guard let run = runs[session] else {
            throw CommandError(.badRequest, "The plugin has no session \(session).")
        }
        try run.answer(input)
    }

    package func cancelPairing(_ session: PairingID) async {
        guard let run = runs.removeValue(forKey: session) else { return }
        await run.cancel()
    }

    package func wifiLost(_ session: PairingID, ssid: String) { runs[session]?.wifiLost(ssid) }

    private func makeRun(
        _ start: PairingStart,
        _ method: TuyaPairingMethod,
        _ desk: PairingDesk
    ) throws(CommandError) -> any PairingRun {
        let session = start.session
        let ended: @Loop () -> Void = { [weak self] in self?.runs[session] = nil }
        switch method {
        case .hotspot, .hotspotPlus, .hotspotLegacy:
            let order = try HotspotOrder(start, method: method, hasCloud: desk.hasCloud)
            return HotspotRun(order, home: start.home, desk: desk, ended: ended)
        case .manual, .list, .account, .cloud:
            let host = desk.host
            let dialogue = PairingDialogue(session, steps: method.steps) { host.pairingProgressed($0) }
            let course: CourseRun.Course =
                switch method {
                case .manual: try ManualCourse(start.input, adapter: self).run
                case .list: try ImportCourse(start.input, adapter: self).run
                case .account: try AccountCourse(start.input, desk: desk).run
                default: try CloudCourse(start.input, adapter: self).run
                }
            return CourseRun(dialogue, course, ended: ended)
        }
    }

    func stopPairing() async {
        let runs = Array(runs.values)
        self.runs = [:]
        for run in runs { await run.cancel() }
        await desk?.stop()
    }

    func linkChanged(_ device: VendorID, _ status: LinkStatus) {
        for run in runs.values { run.linkChanged(device, status) }
    }
}
