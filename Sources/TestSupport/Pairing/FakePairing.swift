import DeviceInterface
package import EventLoop
package import HomeModel
import JSON

/// The pairing sessions of a ``FakeAdapter``: one method for each way in which a session may go.
///
/// `quick` succeeds at once; `ask` asks for a network and its password, again where that is `wrong`; `radio` moves the
/// gateway's radio and back; `slow` runs for 100 s; `fail` fails, but for a new try from the failed step; `batch` brings
/// two devices in; `crash` ends the process.
@Loop
package final class FakePairing {
    private let host: any AdapterHost
    private let bringIn: @Loop (VendorID) -> Void
    private let crash: (@Loop () -> Void)?
    private var sessions: [PairingID: FakePairingSession] = [:]

    /// - Parameters:
    ///   - bringIn: describes a new device to the host.
    ///   - crash: ends the process, for the method `crash`; without it that fails.
    init(host: any AdapterHost, crash: (@Loop () -> Void)?, bringIn: @escaping @Loop (VendorID) -> Void) {
        self.host = host
        self.crash = crash
        self.bringIn = bringIn
    }

    /// The device that a method brings in; `batch` brings number 1 and 2.
    package nonisolated static func device(_ method: String, _ number: Int = 1) -> VendorID {
        VendorID("fake paired/\(method) \(number)")
    }

    nonisolated static func wasPaired(_ device: VendorID) -> Bool { device.text.hasPrefix("fake paired/") }

    func start(_ start: PairingStart) throws(CommandError) {
        guard Self.methods.contains(where: { $0.id == start.method }) else {
            throw CommandError(.capabilityMissing, "The lamps have no way \"\(start.method)\" to be paired.")
        }
        guard sessions[start.session] == nil else {
            throw CommandError(.badRequest, "There is a session \(start.session) already.")
        }
        let session = FakePairingSession(start, host: host, crash: crash) { [weak self] devices in
            self?.sessions[start.session] = nil
            for device in devices { self?.bringIn(device) }
        }
        sessions[start.session] = session
        session.run()
    }

    func answer(_ session: PairingID, _ input: JSONObject) throws(CommandError) {
        guard let open = sessions[session] else {
            throw CommandError(.badRequest, "There is no session \(session).")
        }
        try open.answer(input)
    }

    func cancel(_ session: PairingID) async {
        await sessions.removeValue(forKey: session)?.cancel()
    }

    func cancelAll() async {
        for session in Array(sessions.keys) { await cancel(session) }
    }

    func wifiLost(_ session: PairingID) { sessions[session]?.wifiLost() }
}
