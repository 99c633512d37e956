import HomeModel
import JSON
import Testing

@testable import lintel

@Suite("What is done about a pairing session")
struct PairingFlowTests {
    private static let form = InputForm(title: "Which network?", fields: [InputField("ssid", title: "Network")])
    private static var again: InputForm {
        var form = form
        form.error = PairingFailure(.wrongPassword, "Wrong.")
        return form
    }

    private func report(_ state: String, _ form: InputForm? = nil, _ more: JSONObject = [:]) throws -> SessionReport {
        var object: JSONObject = ["session": "p-1", "state": .string(state), "needs_input": form?.json ?? .null]
        for (key, value) in more { object[key] = value }
        return try #require(SessionReport(.object(object)))
    }

    private func started() -> PairingFlow {
        var flow = PairingFlow()
        _ = flow.take(.started("p-1"))
        return flow
    }

    @Test("a question is asked once, and again with what was wrong")
    func questions() throws {
        var flow = started()
        #expect(flow.take(.report(try report("running"))) == [])
        #expect(flow.take(.report(try report("needs_input", Self.form))) == [.ask(Self.form)])
        // The gateway repeats itself now and then.
        #expect(flow.take(.report(try report("needs_input", Self.form))) == [])
        #expect(flow.take(.answered) == [])
        #expect(flow.take(.report(try report("running"))) == [])
        #expect(flow.take(.report(try report("needs_input", Self.again))) == [.ask(Self.again)])
        #expect(flow.take(.report(try report("running"))) == [.stopAsking])
        #expect(flow.take(.report(try report("succeeded"))) == [.stopAsking, .finish(.succeeded)])
        #expect(flow.take(.interrupted) == [])
    }

    @Test("an answer that the gateway does not take is asked for again, with why")
    func refused() throws {
        var flow = started()
        _ = flow.take(.report(try report("needs_input", Self.form)))
        _ = flow.take(.answered)
        let error = PairingFailure("bad_request", "No.")
        var expected = Self.form
        expected.error = error
        #expect(flow.take(.refused(error)) == [.ask(expected)])
        // Where the session itself has asked again, that is enough.
        _ = flow.take(.answered)
        #expect(flow.take(.report(try report("needs_input", Self.again))) == [.ask(Self.again)])
        #expect(flow.take(.refused(error)) == [])
    }

    @Test("reports of other sessions are not ours")
    func others() throws {
        var flow = started()
        let other = try #require(SessionReport(["session": "p-2", "state": "failed"]))
        #expect(flow.take(.report(other)) == [])
        #expect(flow.report == nil)
    }

    @Test("Ctrl-C cancels and waits for the end; a second one leaves at once")
    func interrupts() throws {
        var flow = started()
        _ = flow.take(.report(try report("needs_input", Self.form)))
        #expect(flow.take(.interrupted) == [.stopAsking, .cancel])
        #expect(flow.notice?.contains("Ctrl-C again") == true)
        var patient = flow
        #expect(patient.take(.report(try report("running"))) == [])
        #expect(patient.take(.report(try report("cancelled"))) == [.stopAsking, .finish(.interrupted)])
        #expect(flow.take(.interrupted) == [.stopAsking, .finish(.left)])
        // A session that was done by then is done.
        var late = started()
        _ = late.take(.interrupted)
        #expect(late.take(.report(try report("succeeded"))) == [.stopAsking, .finish(.succeeded)])
    }

    @Test("Ctrl-C before the session has a name cancels it as soon as it has")
    func early() {
        var flow = PairingFlow()
        #expect(flow.take(.interrupted) == [])
        #expect(flow.take(.started("p-1")) == [.cancel])
        var impatient = PairingFlow()
        _ = impatient.take(.interrupted)
        #expect(impatient.take(.interrupted) == [.finish(.left)])
    }

    @Test("on the way to the end only the radio may still ask")
    func radio() throws {
        var flow = started()
        _ = flow.take(.interrupted)
        #expect(flow.take(.report(try report("needs_input", Self.form))) == [])
        var about = try #require(Self.form.json.objectValue)
        about["asked_by"] = "radio"
        let asked = try report("running", nil, ["needs_input": .object(about)])
        #expect(flow.take(.report(asked)) == [.ask(Self.form)])
    }

    @Test("after the broker is back the session is picked up, and what was answered is not asked again")
    func broker() throws {
        var flow = started()
        _ = flow.take(.report(try report("needs_input", Self.form)))
        _ = flow.take(.answered)
        #expect(flow.take(.broker(isUp: false)) == [])
        #expect(flow.notice?.contains("broker") == true)
        #expect(!flow.isReachable)
        #expect(flow.take(.broker(isUp: true)) == [])
        // A gateway that is slower to come back would not hear an answer yet.
        #expect(!flow.isReachable)
        #expect(flow.take(.gateway(isUp: true)) == [.inquire])
        #expect(flow.isReachable && flow.notice == nil)
        // The retained message comes again.
        #expect(flow.take(.report(try report("needs_input", Self.form))) == [])
        #expect(flow.take(.report(try report("needs_input", Self.form, ["percent": 3]))) == [.ask(Self.form)])
    }

    @Test("a gateway that was restarted in the middle is told of")
    func restarted() throws {
        var flow = started()
        #expect(flow.take(.gateway(isUp: false)) == [])
        #expect(flow.notice?.contains("gone") == true)
        #expect(flow.take(.gateway(isUp: true)) == [.inquire])
        var forgetful = flow
        #expect(forgetful.take(.unknown) == [.stopAsking, .finish(.forgotten)])
        #expect(forgetful.notice?.contains("restarted") == true)
        #expect(flow.take(.report(try report("failed"))) == [.stopAsking, .finish(.ended(.failed))])
        #expect(flow.notice == nil)
    }

    @Test("where nobody can answer the session is cancelled, and that is the end")
    func stuck() throws {
        var flow = started()
        _ = flow.take(.report(try report("needs_input", Self.form)))
        #expect(flow.take(.stuck(.unanswered)) == [.cancel])
        #expect(flow.take(.report(try report("needs_input", Self.form))) == [])
        #expect(flow.take(.report(try report("cancelled"))) == [.stopAsking, .finish(.unanswered)])
        #expect(PairingOutcome.unanswered.exit == .usage)
        #expect(PairingOutcome.ended(.failed).exit.rawValue == 5)
        #expect(PairingOutcome.left.exit.rawValue == 130)
    }
}
