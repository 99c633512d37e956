import HomeModel
import JSON
import Testing
@testable import Hub

@Suite("Secrets of a pairing session")
struct SessionSecretsTests {
    private static func secrets() -> SessionSecrets {
        var secrets = SessionSecrets()
        secrets.learn(
            [
                "ssid": "home", "password": "hun\"ter 22", "pincode": 12_345_678, "code": "CANARY",
                "nested": ["token": "abcd1"],
            ],
            form: InputForm(title: "", fields: [InputField("code", title: "Code", kind: .password)])
        )
        return secrets
    }

    @Test(
        "they are taken out of text, also as JSON spells them",
        arguments: [
            ("home", "home"), ("hun\"ter 22", "<redacted>"), ("sent hun\"ter 22.", "sent <redacted>."),
            (#"{"pwd":"hun\"ter 22"}"#, #"{"pwd":"<redacted>"}"#), ("12345678", "<redacted>"),
            ("CANARYCANARY", "<redacted><redacted>"), ("CANARY\u{301}", "<redacted>\u{301}"), ("abcd1", "<redacted>"),
            ("", ""),
        ]
    )
    func text(text: String, clean: String) {
        #expect(Self.secrets().redacted(text) == clean)
    }

    @Test("they are taken out of keys, numbers, lists and objects")
    func json() {
        let value: JSON = ["a CANARY": [12_345_678, ["x": "CANARY"], 7, true, nil]]
        #expect(Self.secrets().redacted(value) == ["a <redacted>": ["<redacted>", ["x": "<redacted>"], 7, true, nil]])
    }

    @Test("a form keeps its names and open lists of values, and loses secrets everywhere else")
    func form() {
        let form = InputForm(
            title: "CANARY?",
            why: "CANARY",
            fields: [
                InputField(
                    "CANARY",
                    title: "CANARY",
                    hint: "CANARY",
                    choices: [.init("CANARY"), .init("CANARY", title: "CANARY (-41 dBm)")],
                    allowsOther: true,
                    fallback: "CANARY"
                )
            ],
            error: PairingFailure("x", "CANARY", hint: "CANARY", vendorCode: "CANARY")
        )
        let clean = Self.secrets().redacted(form)
        #expect(clean.fields.first?.name == "CANARY" && clean.fields.first?.isRequired == false)
        #expect(clean.fields.first?.choices.map(\.value) == ["CANARY", "CANARY"])
        #expect(clean.fields.first?.choices.last?.title == "<redacted> (-41 dBm)")
        var renamed = clean
        renamed.fields[0].name = "code"
        renamed.fields[0].choices = []
        var closed = form
        closed.fields[0].allowsOther = false
        #expect(Self.secrets().redacted(closed).fields[0].choices.map(\.value) == ["<redacted>", "<redacted>"])
        #expect(!renamed.json.text.contains("CANARY"))
    }

    @Test("codes, ids of steps and keys stay whole, so that what is left of them tells no secret")
    func ids() {
        var secrets = SessionSecrets()
        for secret in ["wrong", "choose_network", "signal", "needs_input"] { secrets.learn(secret) }
        let failure = PairingFailure(
            .wrongPassword,
            "wrong",
            step: "choose_network",
            retryFrom: "choose_network"
        )
        let clean = secrets.redacted(failure)
        #expect(clean.code == .wrongPassword && clean.step == "choose_network" && clean.retryFrom == "choose_network")
        #expect(clean.message == "<redacted>")
        #expect(secrets.redacted(["signal": "signal"] as JSONObject) == ["signal": "<redacted>"])
        // What is no id is text.
        secrets.learn("48151623")
        #expect(secrets.redacted(id: "48151623") == "<redacted>")
        #expect(secrets.redacted(id: "it is wrong") == "it is <redacted>")
        #expect(secrets.redacted(id: String(repeating: "wrong", count: 20)) != String(repeating: "wrong", count: 20))
    }

    @Test("secrets that overlap go together, and adjacent ones each")
    func overlapping() {
        var secrets = SessionSecrets()
        secrets.learn("abcdef")
        secrets.learn("cdefghij")
        secrets.learn("efgh")
        #expect(secrets.redacted("x abcdefghij y efghabcdef") == "x <redacted> y <redacted><redacted>")
    }

    @Test("a megabyte of nothing but secrets takes no time", .timeLimit(.minutes(1)))
    func megabyte() {
        var secrets = SessionSecrets()
        secrets.learn("aaaaaaaa")
        #expect(secrets.redacted(String(repeating: "a", count: 1 << 20)).hasPrefix("<redacted>"))
    }

    @Test("short ones are replaced only where they stand alone")
    func short() {
        var secrets = SessionSecrets()
        secrets.learn("ab")
        #expect(secrets.redacted("ab") == "<redacted>")
        #expect(secrets.redacted("about") == "about")
    }

    @Test("a secret that is a part of the mark ends", .timeLimit(.minutes(1)))
    func mark() {
        var secrets = SessionSecrets()
        secrets.learn("redacted")
        #expect(secrets.redacted("it was redacted") == "<redacted>")
    }

    @Test("they do not print, and can be forgotten")
    func printing() {
        var secrets = Self.secrets()
        var text = ""
        dump(secrets, to: &text)
        #expect(!(text + "\(secrets)").contains("CANARY"))
        secrets.forget()
        #expect(secrets.isEmpty)
        #expect(secrets.redacted("CANARY") == "CANARY")
    }
}
