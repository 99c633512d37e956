import DeviceInterface
import EventLoop
import HomeModel
import JSON
import Testing
import TuyaAdapter

/// An adapter with a pairing session in the test's hands.
@Loop
struct PairingRig {
    let rig: AdapterRig
    let session: PairingID
    var host: RecordingHost { rig.host }

    init(_ rig: AdapterRig, _ name: String = "p-1") throws {
        self.rig = rig
        session = try #require(PairingID(name))
    }

    func start(_ method: String, _ input: JSONObject = [:]) async throws {
        try await rig.adapter.startPairing(PairingStart(session: session, method: method, home: nil, input: input))
    }

    func answer(_ input: JSONObject) async throws {
        try await rig.adapter.answerPairing(session, input: input)
    }

    var last: PairingProgress? { host.progress.last { $0.session == session } }

    /// Waits until the session asks, and returns the question.
    func form() async throws -> InputForm {
        let session = session
        await host.until { host in
            host.progress.last { $0.session == session }.map { $0.state != .running } ?? false
        }
        let last = try #require(last)
        return try #require(last.needsInput, "\(last)")
    }

    /// Waits for the end.
    func end() async throws -> PairingProgress {
        let session = session
        await host.until { host in
            host.progress.contains { $0.session == session && [.succeeded, .failed].contains($0.state) }
        }
        return try #require(last)
    }
}
