import HomeModel
import JSON
import Testing

@testable import lintel

@Suite("The last line of a pairing for programs")
struct PairingOutcomeTests {
    @Test("says why where a script has no other answer, though the session itself ends as cancelled")
    func refused() throws {
        let failure = PairingFailure(.wrongPassword, "The network refused the password.")
        let report = try #require(SessionReport(["session": "p-1", "state": "cancelled", "error": nil]))
        let line = PairingOutcome.refused(failure).summary(report)
        #expect(line["result"] == "refused" && line["exit"] == 5 && line["session"] == "p-1")
        #expect(line["error"]?["code"] == "wifi_wrong_password")
    }

    @Test("has the session's devices and error, and neither where there was no session")
    func summary() throws {
        let done = try #require(SessionReport(["session": "p-1", "state": "succeeded", "devices": ["lamp"]]))
        #expect(
            PairingOutcome.succeeded.summary(done)
                == ["result": "succeeded", "exit": 0, "session": "p-1", "devices": ["lamp"]]
        )
        let failed = try #require(
            SessionReport(["session": "p-1", "state": "failed", "error": ["code": "timeout", "message": "Too late."]])
        )
        #expect(PairingOutcome.ended(.failed).summary(failed)["error"]?["code"] == "timeout")
        #expect(PairingOutcome.notStarted(.usage).summary(nil) == ["result": "not_started", "exit": 2])
    }
}
