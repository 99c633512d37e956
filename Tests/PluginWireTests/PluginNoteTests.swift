import HomeModel
import JSON
import PluginWire
import Testing

@Suite("PluginNote")
struct PluginNoteTests {
    private static let lamp = VendorID("bf01")
    private static let session = PairingID.derived(from: "p-1", isTaken: { _ in false }, digest: { $0 })
    private static let moment = Timestamp(milliseconds: 1_796_040_000_123)

    @Test(
        "every notification reads back as it was written",
        arguments: [
            PluginNote.added(
                DescribedNote(
                    description: DeviceDescription(
                        vendorID: lamp,
                        name: "Desk",
                        kind: .light,
                        properties: [PropertyDescription("power", title: "Power", role: .power, schema: .boolean)]
                    ),
                    secrets: Secrets(["local_key": "k"])
                )
            ),
            .changed(DescribedNote(description: DeviceDescription(vendorID: lamp, name: "Desk"))),
            .removed(lamp),
            .state(
                StateNote(device: lamp, sequence: 4, at: moment, state: ["power": true, "color": ["h": 1, "s": 2]])
            ),
            .event(EventNote(device: lamp, sequence: 5, at: moment, event: "pressed", data: .null)),
            .connectivity(ConnectivityNote(device: lamp, connectivity: .online)),
            .connectivity(
                ConnectivityNote(
                    device: lamp,
                    connectivity: Connectivity(isOnline: false, reason: .keyChanged, detail: "Pair it again.")
                )
            ),
            .progress(ProgressNote(PairingProgress(session: session, step: "preflight"))),
            .progress(
                ProgressNote(
                    PairingProgress(
                        session: session,
                        state: .needsInput,
                        step: "choose_network",
                        steps: ["preflight", "choose_network"],
                        percent: 20,
                        message: "Choose.",
                        needsInput: InputForm(
                            title: "Network",
                            why: "It joins it.",
                            fields: [InputField("ssid", title: "Name", choices: [.init("home")], allowsOther: true)],
                            error: PairingFailure(.wrongPassword, "No.", vendorCode: "207211")
                        ),
                        data: ["networks": [["ssid": "home"]]]
                    )
                )
            ),
            .progress(
                ProgressNote(
                    PairingProgress(
                        session: session,
                        state: .failed,
                        step: "register",
                        failure: PairingFailure(
                            .alreadyBound,
                            "Taken.",
                            hint: "Unbind it.",
                            vendorCode: "1",
                            step: "register",
                            retryFrom: "token"
                        )
                    )
                )
            ),
            .progress(
                ProgressNote(
                    PairingProgress(
                        session: session,
                        state: .succeeded,
                        step: "register",
                        percent: 100,
                        devices: [lamp]
                    )
                )
            ),
            .progress(ProgressNote(PairingProgress(session: session, state: .cancelled, step: "register"))),
            .status(StatusNote(state: "needs_user", detail: "The password is wrong.")),
            .log(LogNote(level: "info", message: "Found.", metadata: ["b": "1", "a": "2"])),
        ]
    )
    func roundTrip(note: PluginNote) throws {
        guard case .notification(let method, let params) = try WireMessage(line: note.line.dropLast()) else {
            Issue.record("not a notification")
            return
        }
        #expect(try PluginNote(method: method, params: params) == note)
    }

    @Test("the hot notification has the documented form")
    func form() {
        let note = StateNote(device: Self.lamp, sequence: 4, at: Self.moment, state: ["power": true])
        #expect(
            String(decoding: note.line, as: UTF8.self)
                == #"{"jsonrpc":"2.0","method":"device/state","params":"#
                + #"{"device":"bf01","seq":4,"at":1796040000123,"state":{"power":true}}}"# + "\n"
        )
    }

    @Test("the network that was lost reads back as it was written")
    func lost() throws {
        let note = WiFiLostNote(session: Self.session, ssid: "Lamp 1")
        guard case .notification("wifi/lost", let params) = try WireMessage(line: note.line.dropLast()) else {
            Issue.record("not the notification")
            return
        }
        #expect(WiFiLostNote(params: params) == note)
        #expect(WiFiLostNote(params: ["session": "p-1"]) == nil)
    }

    @Test(
        "progress with wrong parameters is refused with the key",
        arguments: [
            (#"{"state":"running","step":"a"}"#, #""session" must be text."#),
            (#"{"session":"p","state":"flying","step":"a"}"#, #""state" must be running,"#),
            (#"{"session":"p","state":"running"}"#, #""step" must be text."#),
            (#"{"session":"p","state":"running","step":"a","steps":[1]}"#, #""steps" must be a list of texts."#),
            (#"{"session":"p","state":"running","step":"a","percent":"x"}"#, #""percent" must be an integer."#),
            (#"{"session":"p","state":"needs_input","step":"a"}"#, #""needsInput" must be a form."#),
            (#"{"session":"p","state":"succeeded","step":"a","devices":[""]}"#, #""devices" must hold texts of"#),
            (#"{"session":"p","state":"running","step":"a","data":1}"#, #""data" must be an object."#),
        ]
    )
    func badProgress(text: String, problem: String) throws {
        let params = try #require(try JSON.parse(text).objectValue)
        let failure = #expect(throws: WireFailure.self) { try PluginNote(method: "pairing/progress", params: params) }
        #expect(failure?.message.hasPrefix("pairing/progress: " + problem) == true)
    }

    @Test("the end of a session arrives, whatever its reason looks like", arguments: [#""x""#, "{}", "null"])
    func vagueFailure(error: String) throws {
        let text = #"{"session":"p","state":"failed","step":"a","percent":-5,"error":\#(error)}"#
        let note = try ProgressNote(params: try #require(try JSON.parse(text).objectValue))
        #expect(note.progress.state == .failed && note.progress.percent == 0)
        #expect(note.progress.failure?.code == "internal" && note.progress.failure?.step == "a")
    }

    @Test("progress that is too long for a line loses what is not needed, never its end")
    func tooLong() {
        let long = String(repeating: "x", count: LineDecoder.maxLineBytes)
        var progress = PairingProgress(session: Self.session, state: .succeeded, step: "a", devices: [Self.lamp])
        #expect(ProgressNote(progress).fitting == ProgressNote(progress))
        progress.message = "kept"
        progress.data = ["x": .string(long)]
        #expect(ProgressNote(progress).fitting.progress.message == "kept")
        #expect(ProgressNote(progress).fitting.progress.data.isEmpty)
        progress.message = long
        progress.failure = PairingFailure("x", long)
        let brief = ProgressNote(progress).fitting
        #expect(PluginNote.progress(brief).line.count < 4000)
        #expect(brief.progress.state == .succeeded && brief.progress.devices == [Self.lamp])
        #expect(brief.progress.failure?.code == "x")
        progress.state = .needsInput
        progress.needsInput = InputForm(title: long)
        #expect(ProgressNote(progress).fitting.progress.state == .failed)
    }

    @Test("an unknown notification is nothing, not an error")
    func unknown() throws {
        #expect(try PluginNote(method: "device/sang", params: JSONObject()) == nil)
    }

    @Test("a known notification with wrong parameters is refused")
    func refused() {
        #expect(throws: WireFailure.self) { try PluginNote(method: "device/state", params: ["device": "a"]) }
        #expect(throws: WireFailure.self) {
            try PluginNote(method: "device/added", params: ["device": ["vendorId": ""]])
        }
        #expect(throws: WireFailure.self) {
            try PluginNote(method: "device/added", params: ["device": ["vendorId": "a"], "secrets": ["k": 1]])
        }
    }
}
