import HomeModel
import JSON
import Testing

@testable import lintel

@Suite("The screen of a pairing")
struct PairingScreenTests {
    private static let running: JSON = [
        "session": "p-7c1e", "plugin": "fake", "state": "running", "step": "device_joins_wifi", "index": 3, "of": 4,
        "percent": 50, "deadline": "2026-11-30T10:20:00Z", "message": "The device joins the network.",
        "steps": [
            ["id": "preflight", "state": "done"], ["id": "send_credentials", "state": "done"],
            ["id": "device_joins_wifi", "state": "running"], ["id": "register", "state": "todo"],
        ],
        "needs_input": .null, "error": .null,
    ]

    private func report(_ changes: JSONObject = [:], of json: JSON = running) throws -> SessionReport {
        var object = try #require(json.objectValue)
        for (key, value) in changes { object[key] = value }
        return try #require(SessionReport(.object(object)))
    }

    private func lines(
        _ report: SessionReport?,
        columns: Int = 60,
        rows: Int = 24,
        frame: Int = 0,
        adjust: (inout PairingScreen) -> Void = { _ in }
    ) -> [String] {
        var screen = PairingScreen(title: "Pairing a device with fake", report: report)
        adjust(&screen)
        return screen.picture(
            size: ScreenSize(columns: columns, rows: rows),
            glyphs: .unicode,
            frame: frame,
            now: Timestamp(iso8601: "2026-11-30T10:18:55Z") ?? Timestamp(milliseconds: 0)
        ) { text, _ in text }.lines
    }

    @Test("shows steps with their marks, how far it is and the time left")
    func running() throws {
        #expect(
            lines(try report()) == [
                "Pairing a device with fake", "  ✓ Check what pairing needs",
                "  ✓ Tell the device the Wi-Fi and its password", "  ⠋ Wait for the device to join the Wi-Fi",
                "  · Add it to the home", "  ███████████████░░░░░░░░░░░░░░░  50 %  1:05 left",
                "The device joins the network.",
            ]
        )
    }

    @Test("turns its spinner")
    func spinner() throws {
        let report = try report()
        #expect(lines(report, frame: 1)[3].hasPrefix("  ⠙"))
        #expect(lines(report, frame: 10) == lines(report, frame: 0))
    }

    @Test("says nothing of a time that is over or not known")
    func times() throws {
        for deadline: JSON in ["2026-11-30T10:18:00Z", "2026-12-30T10:18:00Z", "soon", .null] {
            #expect(!lines(try report(["deadline": deadline])).joined().contains("left"))
        }
        #expect(lines(try report(["percent": .null]))[5] == "  1:05 left")
    }

    @Test("says of a failure what happened, the vendor's number and what to do")
    func failure() throws {
        let failed = try report([
            "state": "failed", "message": "not this",
            "steps": [["id": "preflight", "state": "done"], ["id": "device_joins_wifi", "state": "failed"]],
            "error": [
                "code": "wifi_wrong_password", "message": "The network refused the password.", "vendor_code": "207209",
                "hint": "Type it again.", "step": "device_joins_wifi", "retry_from": "choose_network",
            ],
        ])
        let text = lines(failed, columns: 100)
        #expect(text[2] == "  ✗ Wait for the device to join the Wi-Fi")
        #expect(text[3] == "The network refused the password. (wifi_wrong_password, vendor's number 207209)")
        #expect(text[4] == "What to do: Type it again.")
        #expect(text.count == 5)
        // Without a hint there is one of our own.
        let bare = try report(["state": "failed", "error": ["code": "ap_not_found", "message": "No hotspot."]])
        #expect(lines(bare, columns: 100).last?.hasPrefix("What to do: Reset the device") == true)
    }

    @Test("says what came in, and what to do with it")
    func success() throws {
        let done = try report(["state": "succeeded", "devices": ["lamp-1", "lamp-2"], "device": "lamp-1"])
        #expect(lines(done).suffix(2) == ["Paired: lamp-1, lamp-2", "Next: lintel device lamp-1 show"])
        let one = try report(["state": "succeeded", "device": "lamp-1"])
        #expect(one.devices == ["lamp-1"])
    }

    @Test("never has a line that is wider, or more lines than fit", arguments: [5, 10, 20, 39, 80], [3, 5, 8, 24])
    func narrow(columns: Int, rows: Int) throws {
        let asked = try report(["needs_input": Self.networks(120).json, "state": "needs_input"])
        for state in [try report(), asked] {
            let drawn = lines(state, columns: columns, rows: rows) { screen in
                screen.dialogue = state.question.map { FormDialogue($0) }
                screen.notice = "The connection to the broker is lost."
            }
            #expect(drawn.count < rows)
            for line in drawn { #expect(Cells.width(line) < columns, "\(line)") }
        }
    }

    @Test("keeps the present step where there is no room for all")
    func manySteps() throws {
        let steps = (1...40).map { number -> JSON in
            [
                "id": .string("step_\(number)"),
                "state": .string(number < 20 ? "done" : number == 20 ? "running" : "todo"),
            ]
        }
        let drawn = lines(try report(["steps": .array(steps), "step": "step_20"]), rows: 12)
        #expect(drawn.contains { $0.contains("Step 20") })
        #expect(drawn.contains { $0.contains("before") } && drawn.contains { $0.contains("more") })
        #expect(drawn.count <= 11)
    }

    @Test("shows a list of networks with numbers, and shorter as a name is typed")
    func choices() throws {
        let form = Self.networks(3)
        let drawn = lines(try report(["needs_input": form.json])) { $0.dialogue = FormDialogue(form) }
        #expect(
            drawn.suffix(6) == [
                "The device knows 2.4 GHz only.", "  1  net 1", "  2  net 2", "  3  net 3", "  4  another one",
                "Network (number or name): ",
            ]
        )
        let many = Self.networks(120)
        let long = lines(nil, rows: 12) { $0.dialogue = FormDialogue(many) }
        #expect(long.count == 11)
        #expect(long.contains { $0.contains("more: type a part of the name") })
        #expect(long.contains { $0.contains("another one") })
        let typed = lines(nil, rows: 12) {
            $0.dialogue = FormDialogue(many)
            $0.typed = "net 117"
        }
        #expect(typed.suffix(3) == ["  117  net 117", "  121  another one", "Network (number or name): net 117"])
    }

    @Test("names cannot command the terminal")
    func hostile() throws {
        let form = InputForm(
            title: "Which\u{1B}[2J?",
            fields: [InputField("ssid", title: "Net\nwork", choices: [.init("x", title: "evil\u{1B}]0;x\u{7}👍")])]
        )
        let drawn = lines(
            try report(["needs_input": form.json, "message": "\u{1B}[31mred", "steps": [["id": "a\u{1B}b"]]])
        ) { $0.dialogue = FormDialogue(form) }
        #expect(!drawn.joined().unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
        #expect(drawn.contains { $0.contains("evil␛]0;x␇👍") })
    }

    @Test("shows a password as dots, and what is typed else as it is")
    func hidden() throws {
        var form = InputForm(title: "Password?", fields: [InputField("password", title: "Password", kind: .password)])
        let drawn = lines(nil) {
            $0.dialogue = FormDialogue(form)
            $0.typed = "geheim"
        }
        #expect(drawn.last == "Password: ••••••")
        form.fields[0].kind = .text
        let open = lines(nil, columns: 20) {
            $0.dialogue = FormDialogue(form)
            $0.typed = "a very long name for this"
        }
        #expect(open.last == "Password: …for this")
    }

    @Test("is told in added lines where it cannot be redrawn, each fact once")
    func narration() throws {
        var narrator = PairingNarrator(glyphs: .ascii)
        #expect(
            narrator.lines(try report()).map(\.text) == [
                "+ Check what pairing needs", "+ Tell the device the Wi-Fi and its password",
                ". Wait for the device to join the Wi-Fi", "  The device joins the network.",
            ]
        )
        #expect(narrator.lines(try report(["percent": 60])).isEmpty)
        let end = try report(["state": "expired"])
        #expect(narrator.lines(end).map(\.text) == ["The time is over; nothing was added."])
        #expect(narrator.lines(end).isEmpty)
    }

    @Test("takes a state or a step that it does not know as something that goes on")
    func unknown() throws {
        let odd = try report(["state": "resting", "steps": [["id": "x", "state": "odd"], "plain"]])
        #expect(odd.state == .running)
        #expect(odd.steps == [.init(id: "x", mark: .todo), .init(id: "plain", mark: .todo)])
        #expect(SessionReport(["state": "running"]) == nil)
        #expect(SessionReport("p-1") == nil)
    }

    @Test("signs are ASCII where the locale has another encoding")
    func locales() {
        #expect(Glyphs.suitable(for: [:]) == .unicode)
        #expect(Glyphs.suitable(for: ["LANG": "de_DE.UTF-8"]) == .unicode)
        #expect(Glyphs.suitable(for: ["LANG": "de_DE.UTF-8", "LC_ALL": "C"]) == .ascii)
    }

    static func networks(_ count: Int) -> InputForm {
        InputForm(
            title: "Which network?",
            why: "The device knows 2.4 GHz only.",
            fields: [
                InputField(
                    "ssid",
                    title: "Network",
                    choices: (1...count).map { .init("net \($0)") },
                    allowsOther: true,
                    range: 1...32
                )
            ]
        )
    }
}
