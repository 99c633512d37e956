import HomeModel
import JSON
import Testing
@testable import Hub

@Suite("A pairing session, as a value")
struct PairingSessionTests {
    @Test("every event in every state before the end does what the table says", arguments: SessionStory.allCases)
    func table(story: SessionStory) throws {
        for event in SessionEvent.allCases {
            var session = try story.session
            let before = session.place
            let outputs = session.take(try event.input(), at: event.time).map(\.word)
            let words = outputs.isEmpty ? "-" : outputs.joined(separator: ",")
            if let row = SessionTable.rows["\(story.rawValue) \(event.rawValue)"] {
                #expect(session.place == row.place, "\(event)")
                #expect(words == row.outputs, "\(event)")
            } else {
                let isAnswer = [.answer, .wrongAnswer, .radioAnswer].contains(event)
                #expect(session.isEnded && session.place == before, "\(event)")
                #expect(words == (isAnswer ? "refuse:conflict" : "-"), "\(event)")
            }
        }
    }

    @Test("the plugin gets the checked answer, with defaults")
    func answers() throws {
        var session = PairingSession(times: PairingTimes())
        let form = InputForm(
            title: "Network",
            fields: [
                InputField("ssid", title: "Name"),
                InputField("hidden", title: "Hidden", kind: .flag, fallback: false),
            ]
        )
        _ = session.take(.progress(try progress(.needsInput, step: "choose", form: form)), at: .zero)
        let outputs = session.take(.answer(["ssid": "home"]), at: .zero)
        #expect(outputs == [.answerPlugin(["ssid": "home", "hidden": false]), .publish])
    }

    @Test("an answer that the plugin does not take is asked for again, with what was wrong")
    func askedAgain() throws {
        var session = try SessionStory.answered.session
        _ = session.take(.answerRefused(CommandError(.badRequest, "Not hunter22.")), at: SessionStory.now)
        #expect(session.question?.error?.message == "Not <redacted>.")
        // Unless it went on in the meantime.
        session = try SessionStory.answered.session
        _ = session.take(.progress(try progress(.running, step: "join")), at: SessionStory.now)
        #expect(session.take(.answerRefused(CommandError(.badRequest, "No.")), at: SessionStory.now).isEmpty)
    }

    @Test("a question that is too large loses choices, and fails the session where it has none to lose")
    func largeQuestions() throws {
        var session = PairingSession(times: PairingTimes())
        var field = InputField("ssid", title: "Network", choices: (0..<5000).map { .init("net \($0)") })
        field.allowsOther = true
        let list = InputForm(title: "Which?", fields: [field])
        _ = session.take(.progress(try progress(.needsInput, step: "choose", form: list)), at: .zero)
        let shown = try #require(session.question)
        #expect(shown.json.serialized().count <= InputForm.maxBytes)
        #expect((100..<5000).contains(shown.fields[0].choices.count) && shown.fields[0].choices[0].value == "net 0")
        // One that was not shown may be answered.
        let outputs = session.take(.answer(["ssid": "net 4999"]), at: .zero)
        #expect(outputs == [.answerPlugin(["ssid": "net 4999"]), .publish])

        let endless = InputForm(title: String(repeating: "x", count: 1 << 20))
        let ends = session.take(.progress(try progress(.needsInput, step: "choose", form: endless)), at: .zero)
        #expect(ends == [.publish, .close(tellsPlugin: true)])
        #expect(session.end?.failure?.code == PairingCode(.tooLarge))
    }

    @Test("no word of a failure is longer than what is shown")
    func largeFailures() throws {
        let long = String(repeating: "x", count: 1 << 17)
        var session = try SessionStory.answered.session
        _ = session.take(.answerRefused(CommandError(.badRequest, long, hint: long)), at: SessionStory.now)
        #expect(JSON.object(session.adding(to: [:])).serialized().count < 8 << 10)
        var failed = try progress(.failed, step: "a")
        failed.failure = PairingFailure(
            .init(rawValue: long),
            long,
            hint: long,
            vendorCode: long,
            step: long,
            retryFrom: long
        )
        _ = session.take(.progress(failed), at: SessionStory.now)
        let size = session.end?.failure?.json.serialized().count ?? .max
        #expect(size < 4 << 10)
    }

    @Test("the time of a person does not count as work, and a plugin's word ends its silence")
    func deadlines() throws {
        var times = PairingTimes()
        (times.work, times.silence, times.person) = (.seconds(100), .seconds(60), .seconds(1000))
        var session = PairingSession(times: times)
        #expect(session.dueAt == .seconds(60))
        _ = session.take(.progress(try progress(.running, step: "a")), at: .seconds(50))
        #expect(session.dueAt == .seconds(100))
        _ = session.take(.progress(try progress(.needsInput, step: "a", form: SessionStory.form)), at: .seconds(70))
        #expect(session.dueAt == .seconds(1070))
        #expect(session.take(.tick, at: .seconds(1069)).isEmpty)
        // A repeated question gives no new time.
        _ = session.take(.progress(try progress(.needsInput, step: "a", form: SessionStory.form)), at: .seconds(100))
        #expect(session.dueAt == .seconds(1070))
        _ = session.take(.answer(["password": "x"]), at: .seconds(1000))
        // 70 s of the 100 are used up.
        #expect(session.dueAt == .seconds(1030))
        _ = session.take(.tick, at: .seconds(1030))
        #expect(session.end?.state == "expired")
        #expect(session.end?.failure?.code == PairingCode(.timeout))
        #expect(session.dueAt == .seconds(1030) + times.closing)
    }

    @Test("what nobody answers expires and says so")
    func nobodyAnswers() throws {
        var session = try SessionStory.asking.session
        let outputs = session.take(.tick, at: SessionStory.now + SessionStory.times.person)
        #expect(outputs == [.publish, .close(tellsPlugin: true)])
        #expect(session.end?.failure?.message == "Nobody answered in time.")
        #expect(session.end?.failure?.step == "send")
        #expect(session.end?.failure?.retryFrom == "find")
    }

    @Test("steps before the present one are done, those after it to do; going back is shown")
    func steps() throws {
        var session = try SessionStory.running.session
        _ = session.take(.progress(try progress(.running, step: "join")), at: .zero)
        #expect(Self.steps(session) == ["find done", "send done", "join running"])
        _ = session.take(.progress(try progress(.running, step: "send")), at: .zero)
        #expect(Self.steps(session) == ["find done", "send running", "join todo"])
        _ = session.take(.progress(try progress(.running, step: "extra")), at: .zero)
        #expect(Self.steps(session) == ["find done", "send done", "join done", "extra running"])
        #expect(session.adding(to: [:])["index"] == 4)
        #expect(session.adding(to: [:])["of"] == 4)
        _ = session.take(.cancel, at: .zero)
        _ = session.take(.closed, at: .zero)
        #expect(Self.steps(session).last == "extra cancelled")
        #expect(Self.steps(try SessionStory.succeeded.session) == ["find done", "send done", "join done"])
        #expect(Self.steps(try SessionStory.failed.session) == ["find failed", "send todo", "join todo"])
    }

    @Test("the final state is told only when all is closed, and devices with it")
    func finalState() throws {
        var session = try SessionStory.running.session
        _ = session.take(.progress(try progress(.succeeded, step: "join")), at: .zero)
        #expect(session.state == "running")
        _ = session.take(.registered([try #require(DeviceID("lamp"))], nil), at: .zero)
        #expect(session.adding(to: [:])["devices"] == nil)
        _ = session.take(.closed, at: .zero)
        #expect(session.state == "succeeded")
        #expect(session.adding(to: [:])["device"] == "lamp")
    }

    @Test("a failure keeps the plugin's code, number and step to retry from, and gets the step that it lacks")
    func failure() throws {
        var session = try SessionStory.running.session
        let failure = PairingFailure(.wrongPassword, "Wrong.", vendorCode: "207212", retryFrom: "send")
        _ = session.take(.progress(try progress(.failed, step: "join", failure: failure)), at: .zero)
        _ = session.take(.closed, at: .zero)
        #expect(
            session.adding(to: [:])["error"] == [
                "code": "wifi_wrong_password", "message": "Wrong.", "vendor_code": "207212", "step": "join",
                "retry_from": "send",
            ]
        )
    }

    @Test("what is too large is left out or cut, and the payload stays under 16 KiB")
    func sizes() throws {
        var session = try SessionStory.running.session
        let long = String(repeating: "x", count: 20_000)
        let steps = (0..<200).map { "\($0) \(long)" }
        _ = session.take(
            .progress(
                try progress(.running, step: "0 \(long)", steps: steps, message: long, data: ["x": .string(long)])
            ),
            at: .zero
        )
        let payload = session.adding(to: [:])
        #expect(payload["data"] == nil)
        #expect(payload["of"] == 50)
        #expect(JSON.object(payload).serialized().count < PairingSession.maxPayload)
    }

    private static func steps(_ session: PairingSession) -> [String] {
        (session.adding(to: [:])["steps"]?.arrayValue ?? []).map {
            "\($0["id"]?.stringValue ?? "") \($0["state"]?.stringValue ?? "")"
        }
    }
}
