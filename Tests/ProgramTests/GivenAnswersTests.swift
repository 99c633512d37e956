import HomeModel
import JSON
import Testing

@testable import lintel

@Suite("Answers on the command line")
struct GivenAnswersTests {
    private static let form = InputForm(
        title: "Wi-Fi",
        fields: [
            InputField("ssid", title: "Network", choices: [.init("home"), .init("guest")], allowsOther: true),
            InputField("password", title: "Password", kind: .password, range: 8...63),
        ]
    )
    private static var refused: InputForm {
        var form = form
        form.error = PairingFailure(.wrongPassword, "Wrong.")
        return form
    }

    @Test("are each for one time of asking; beside a new one the others stay")
    func turns() throws {
        var given = GivenAnswers(
            [("ssid", .plain("home")), ("password", .secret("wrong pass")), ("password", .secret("right pass"))],
            goesAhead: false
        )
        #expect(try given.take(for: Self.form) == ["ssid": "home", "password": "wrong pass"])
        #expect(try given.take(for: Self.refused) == ["ssid": "home", "password": "right pass"])
        // What was refused is not said again.
        #expect(try given.take(for: Self.refused) == [:])
    }

    @Test("stay for a later question that refuses nothing")
    func sticky() throws {
        var given = GivenAnswers([("ssid", .plain("home"))], goesAhead: false)
        #expect(try given.take(for: Self.form) == ["ssid": "home"])
        #expect(try given.take(for: Self.form) == ["ssid": "home"])
    }

    @Test("a secret must not stand on the command line, and no message repeats it")
    func secrets() {
        var plain = GivenAnswers([("password", .plain("hunter22"))], goesAhead: false)
        let failure = #expect(throws: Failure.self) { try plain.take(for: Self.form) }
        #expect(failure?.exit == .usage)
        #expect(failure?.hint?.contains("--set password=@FILE") == true)
        var short = GivenAnswers([("password", .secret("hunter2"))], goesAhead: false)
        let wrong = #expect(throws: Failure.self) { try short.take(for: Self.form) }
        #expect("\(failure?.message ?? "")\(wrong?.message ?? "")".contains("hunter") == false)
    }

    @Test("a secret of the configuration is sent by its name")
    func references() throws {
        var given = GivenAnswers([("password", .reference("wifi-home"))], goesAhead: false)
        #expect(try given.take(for: Self.form) == ["password": ["secret_ref": "wifi-home"]])
    }

    @Test("that nothing asked for are told")
    func unused() throws {
        var given = GivenAnswers([("ssid", .plain("home")), ("pasword", .plain("x"))], goesAhead: false)
        _ = try given.take(for: Self.form)
        #expect(given.unused == ["pasword"])
    }

    @Test("a go-ahead says yes where nothing else is asked, and not to what was refused")
    func goAhead() throws {
        var form = InputForm(title: "Take these?", fields: [InputField("confirm", title: "Yes", kind: .flag)])
        var given = GivenAnswers([], goesAhead: true)
        #expect(try given.take(for: form) == ["confirm": true])
        var without = GivenAnswers([], goesAhead: false)
        #expect(try without.take(for: form) == [:])
        var contrary = GivenAnswers([("confirm", .plain("false"))], goesAhead: true)
        #expect(try contrary.take(for: form) == ["confirm": false])
        form.error = PairingFailure("refused", "No.")
        #expect(try given.take(for: form) == [:])
        #expect(try given.take(for: Self.form) == [:])
    }

    @Test("options that may be repeated keep all values in their order")
    func repeated() throws {
        let words = ["pair", "fake", "ask", "--set", "a=1", "--ssid=home", "--set", "b=2=3"]
        let invocation = try Invocation.parse(words, table: Verb.table)
        #expect(invocation.all("set") == ["a=1", "b=2=3"])
        #expect(invocation.operands == ["fake", "ask"])
        #expect(invocation.verb.name == "pair")
        #expect(try Invocation.parse(["pair", "status"], table: Verb.table).verb.name == "pair status")
    }
}
