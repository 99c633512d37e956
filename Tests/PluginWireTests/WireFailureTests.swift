import HomeModel
import JSON
import PluginWire
import Testing

@Suite("WireFailure")
struct WireFailureTests {
    @Test("every error code crosses the wire with all its facts", arguments: ErrorCode.allCases)
    func roundTrip(code: ErrorCode) throws {
        let error = CommandError(
            code,
            "It did not work.",
            hint: "Try this.",
            vendorCode: "E-17",
            retryAfterMs: 250,
            details: ["key": "devices.0.id"]
        )
        let failure = WireFailure(error)
        #expect(failure.code > 1000)
        #expect(failure.data["retryable"] == true)
        let line = WireMessage.failure(id: .number(1), failure).line
        guard case .failure(.number(1), let read) = try WireMessage(line: line.dropLast()) else {
            Issue.record("not a failure")
            return
        }
        #expect(CommandError(read) == error)
    }

    @Test(
        "numbers are those of the one list",
        arguments: [(ErrorCode.authFailed, 1001), (.timeout, 1006), (.conflict, 1014)]
    )
    func numbers(code: ErrorCode, number: Int) {
        let failure = WireFailure(CommandError(code, "No."))
        #expect(failure.code == number)
        #expect(failure.data["code"] == nil)
        #expect(failure.data["retryable"] == .bool(code.isRetryable))
    }

    @Test(
        "protocol faults and unknown numbers become codes of the closed list",
        arguments: [
            (WireFailure.methodNotFound, ErrorCode.capabilityMissing), (WireFailure.invalidParams, .internal),
            (WireFailure.parseError, .internal), (WireFailure.cancelled, .timeout), (0, .internal), (1999, .internal),
        ]
    )
    func foreign(number: Int, code: ErrorCode) {
        let error = CommandError(WireFailure(code: number, message: ""))
        #expect(error.code == code)
        #expect(error.message == "The plugin gave no reason (\(number)).")
    }

    @Test("a vendor's code may be a number, and a negative delay counts as none")
    func vendorNumber() {
        let error = CommandError(
            WireFailure(code: 1011, message: "Cloud.", data: ["vendorCode": 1010, "retryAfterMs": -5])
        )
        #expect(error.vendorCode == "1010")
        #expect(error.retryAfterMs == 0)
    }
}
