import HomeModel
import JSON
import PluginHost
import TestSupport
import Testing

@Suite("Redactor")
struct RedactorTests {
    private static func knowing(_ secrets: String..., keys: [String] = []) -> Redactor {
        var redactor = Redactor(keys: keys)
        for (number, secret) in secrets.enumerated() { redactor.learn(Secrets(["\(number)": secret])) }
        return redactor
    }

    private static func frame(_ text: String, _ redactor: Redactor, isCut: Bool = false) -> String {
        redactor.redacted(frame: Array(text.utf8), isCut: isCut)
    }

    @Test(
        "values under keys that name a secret are hidden, whatever their type",
        arguments: [
            (#"{"local_key":"abc","a":1}"#, #"{"local_key":"<redacted>","a":1}"#),
            (#"{"secrets":{"x":"abc","y":["d"]},"b":2}"#, #"{"secrets":"<redacted>","b":2}"#),
            (#"{"accessToken" : 123, "b":2}"#, #"{"accessToken" : "<redacted>", "b":2}"#),
            (#"{"a":[{"Wifi-Password":null}]}"#, #"{"a":[{"Wifi-Password":"<redacted>"}]}"#),
            (#"{"pin":[1,{"x":"]"}]}"#, #"{"pin":"<redacted>"}"#),
            (#"{"pin_code":"1","code":"shown"}"#, #"{"pin_code":"<redacted>","code":"shown"}"#),
            (#"{"key":"shown","code":1006,"keys":1}"#, #"{"key":"shown","code":1006,"keys":1}"#),
            (
                #"{"method":"secret/store","params":{"name":"n","value":"abc"}}"#,
                #"{"method":"secret/store","params":{"name":"n","value":"<redacted>"}}"#
            ),
            (#"{"method":"store/set","params":{"value":"abc"}}"#, #"{"method":"store/set","params":{"value":"abc"}}"#),
        ]
    )
    func keys(frame: String, shown: String) {
        #expect(Self.frame(frame, Redactor()) == shown)
    }

    @Test("keys that the manifest declares are hidden, too")
    func declared() {
        #expect(Self.frame(#"{"uid":"abc"}"#, Redactor(keys: ["UID"])) == #"{"uid":"<redacted>"}"#)
    }

    @Test(
        "known values are hidden wherever they stand and however they are escaped",
        arguments: [
            #"{"a":"hunter22"}"#, #"{"a":"x hunter22 y"}"#, #"{"hunter22":1}"#, #"{"a":"\u0068unter2\u0032"}"#,
            #"{"a":["q","\\hunter22"]}"#, "hunter22", #"{"a":"hunter22"#, #"broken "hunter22" {"#,
        ]
    )
    func values(frame: String) {
        let shown = Self.frame(frame, Self.knowing("hunter22"))
        #expect(!shown.contains("hunter22") && !shown.contains(#"\u0068"#))
        #expect(shown.contains("<redacted>"))
    }

    @Test("a secret with characters that JSON escapes is found in frames and in text")
    func escapes() {
        let secret = #"a"b\c/é€"#
        let redactor = Self.knowing(secret)
        #expect(Self.frame(JSON.object(["x": .string(secret)]).text, redactor) == #"{"x":"<redacted>"}"#)
        #expect(Self.frame(#"{"x":"a\"b\\c\/\u00e9\u20ac"}"#, redactor) == #"{"x":"<redacted>"}"#)
        #expect(redactor.redacted(text: "it is \(secret)!") == "it is <redacted>!")
    }

    @Test("nothing of a secret is left at the place where a frame was cut", arguments: 1...8)
    func cut(kept: Int) {
        let redactor = Self.knowing("hunter22")
        let frame = #"{"state":"open","a":"# + "\"" + String("hunter22".prefix(kept))
        let shown = Self.frame(frame, redactor, isCut: true)
        #expect(shown.hasPrefix(#"{"state":"open","a":"#))
        #expect(!shown.contains("hu") && !shown.hasSuffix("h"))
        #expect(Self.frame(#"{"local_key":"hun"#, Redactor(), isCut: true) == #"{"local_key":"<redacted>""#)
    }

    @Test(
        "log text is cleared of what follows a secret key",
        arguments: [
            ("local_key=abc next", "local_key=<redacted> next"), ("token: abc, x=1", "token: <redacted>, x=1"),
            (#"{"password": "a b", "x": 1}"#, #"{"password": "<redacted>", "x": 1}"#),
            ("password='a b' x", "password='<redacted>' x"), ("key=shown", "key=shown"), ("token", "token"),
            ("session-token=", "session-token="), ("a: b", "a: b"),
        ]
    )
    func assignments(text: String, shown: String) {
        #expect(Redactor().redacted(text: text) == shown)
    }

    @Test("secrets are learnt from a configuration, at any depth and also as numbers")
    func configuration() {
        var redactor = Redactor(keys: ["local_key"])
        redactor.learn(
            from: ["devices": [["local_key": "abcdef", "name": "lamp"]], "pin": 123_456, "secret": ["x": ["nested1"]]]
        )
        #expect(
            redactor.redacted(text: "abcdef lamp 123456 nested1")
                == "<redacted> lamp <redacted> <redacted>"
        )
    }

    @Test("short values are not looked for, because they hit innocent text")
    func short() {
        #expect(Self.knowing("on", "abc", "").redacted(text: "on abc") == "on abc")
    }

    @Test("a secret of several lines is found line by line")
    func lines() {
        let redactor = Self.knowing("-----BEGIN-----\nMIIEabcd\n-----END-----")
        #expect(redactor.redacted(text: "x MIIEabcd y") == "x <redacted> y")
    }

    @Test("a secret is not shown in 1,000 frames, however it is escaped, wherever it stands, and wherever they are cut")
    func anywhere() {
        var dice = Dice(99)
        let secrets = ["hunter22", "a\"b\\c/d", "pässwörd 1", "0123456789abcdef", "https://u:p@host/x?y=1"]
        var redactor = Redactor()
        for secret in secrets { redactor.learn(Secrets(["x": secret])) }
        for _ in 0..<1000 {
            guard let secret = secrets.randomElement(using: &dice) else { continue }
            var frame = Array(#"{"jsonrpc":"2.0","method":"m","params":{"a":["b","#.utf8)
            frame += Array("\"".utf8) + Self.escaped("before " + secret + " after", with: &dice)
            frame += Array(#"",{"c":1}]}}"#.utf8)
            let kept = Int.random(in: 0...frame.count, using: &dice)
            let shown = redactor.redacted(frame: Array(frame.prefix(kept)), isCut: kept < frame.count)
            #expect(!shown.contains(secret))
            let text = (try? JSON.parse(shown)) ?? (try? JSON.parse(shown + "\"]}}"))
            #expect(text?["params"]?["a"]?[1]?.stringValue?.contains(secret.prefix(4)) != true, "\(shown)")
        }
    }

    /// A text as JSON may write it, some characters escaped by chance.
    private static func escaped(_ text: String, with dice: inout Dice) -> [UInt8] {
        var out: [UInt8] = []
        for scalar in text.unicodeScalars {
            if Int.random(in: 0..<4, using: &dice) == 0 {
                let digits = String(scalar.value, radix: 16)
                out += Array(("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8)
            } else if scalar == "\"" || scalar == "\\" {
                out += Array("\\".utf8) + Array(String(scalar).utf8)
            } else {
                out += Array(String(scalar).utf8)
            }
        }
        return out
    }

    @Test("errors are cleared in message, hint and details")
    func errors() {
        let error = CommandError(.internal, "no hunter22", hint: "hunter22", details: ["a": ["hunter22"]])
        let shown = Self.knowing("hunter22").redacted(error)
        #expect(shown.message == "no <redacted>" && shown.hint == "<redacted>")
        #expect(shown.details == ["a": ["<redacted>"]])
    }
}
