import DeviceInterface
import EventLoop
import HomeModel
import JSON
import PluginHost
import PluginWire
import TestSupport
import Testing

@Suite("Secrets of pairing", .timeLimit(.minutes(1)))
struct PairingSecretsTests {
    private static let session = PairingID.derived(from: "p-1", isTaken: { _ in false }, digest: { $0 })
    private static let method = PairingMethod(
        "ap",
        form: InputForm(
            title: "Start",
            fields: [
                InputField("ssid", title: "Network"), InputField("word", title: "Word", kind: .password),
                InputField("list", title: "Devices"), InputField("code", title: "Code", kind: .password),
            ]
        )
    )

    /// Runs `body` with an adapter whose plugin is the far end, initialized.
    @Loop private static func with(
        _ body: @Loop (RemoteAdapter, FarEnd, RecordingHost) async throws -> Void
    ) async throws {
        let (peer, host) = (try FarEnd(), RecordingHost())
        let adapter = RemoteAdapter(
            plugin: try TestHouse.plugin("far"),
            recorder: peer.recorder,
            methods: [method]
        )
        adapter.attach(peer.connection)
        let setup = AdapterSetup(
            gatewayVersion: "1",
            config: [:],
            devices: [],
            secrets: Secrets(["account": "canary-0"]),
            stateDirectory: "/"
        )
        let initialized = Task { @Loop in try await adapter.initialize(setup, host: host) }
        await peer.heard { $0.joined().contains(#""secrets":{"account":"canary-0"}"#) }
        peer.say(Array(#"{"jsonrpc":"2.0","id":1,"result":{"protocol":1}}"#.utf8))
        try await initialized.value
        try await body(adapter, peer, host)
        adapter.detach(because: CommandError(.pluginDown, "Over."))
    }

    private static func note(_ progress: PairingProgress) -> [UInt8] {
        Array(PluginNote.progress(ProgressNote(progress)).line.dropLast())
    }

    @Test("what forms, keys and pasted lists call a secret is in no record, before and after the plugin repeats it")
    @Loop func recorder() async throws {
        try await Self.with { adapter, peer, host in
            let input: JSONObject = [
                "ssid": "shown net", "word": "canary-1", "code": "c7", "token": "canary-2",
                "list": #"[{"id":"x","local_key":"canary-3"}]"#,
            ]
            let start = PairingStart(session: Self.session, method: "ap", home: nil, input: input)
            let started = Task { @Loop in try await adapter.startPairing(start) }
            await peer.heard { $0.joined().contains("pairing/start") && $0.joined().contains("canary-1") }
            #expect(!Self.recorded(peer).contains("canary"))
            peer.say(Array(#"{"jsonrpc":"2.0","id":2,"result":{}}"#.utf8))
            try await started.value

            let form = InputForm(title: "More", fields: [InputField("answer", title: "Answer", kind: .password)])
            peer.say(
                Self.note(PairingProgress(session: Self.session, state: .needsInput, step: "a", needsInput: form))
            )
            _ = await host.progress(of: Self.session) { $0.state == .needsInput }
            let answered = Task { @Loop in
                try await adapter.answerPairing(Self.session, input: ["answer": "canary-4"])
            }
            await peer.heard { $0.joined().contains("canary-4") }
            peer.say(Array(#"{"jsonrpc":"2.0","id":3,"result":{}}"#.utf8))
            try await answered.value

            peer.say(
                Array(
                    #"{"jsonrpc":"2.0","id":"w","method":"wifi/join","params":{"session":"p-1","ssid":"home","#.utf8
                ) + Array(#""passphrase":"canary-5"}}"#.utf8)
            )
            await host.until { host.radio.calls == [.join(Self.session, ssid: "home", passphrase: "canary-5")] }
            await peer.heard { $0.joined().contains(#""prefix":8"#) }
            for number in 0...5 {
                peer.say(
                    Array(#"{"jsonrpc":"2.0","method":"unheard/of","params":{"x":"canary-\#(number)"}}"#.utf8)
                )
            }
            peer.say(Self.note(PairingProgress(session: Self.session, step: "last")))
            _ = await host.progress(of: Self.session) { $0.step == "last" }
            let recorded = Self.recorded(peer)
            #expect(!recorded.contains("canary") && !recorded.contains("c7"), "\(recorded)")
            #expect(recorded.contains("shown net") && recorded.contains("wifi/join"))
        }
    }

    @Test("what a plugin says of a session loses the secrets that the gateway knows, and keeps what comes back")
    @Loop func words() async throws {
        try await Self.with { adapter, peer, host in
            let start = PairingStart(
                session: Self.session,
                method: "ap",
                home: nil,
                input: ["ssid": "home", "word": "canary-1"]
            )
            let started = Task { @Loop in try await adapter.startPairing(start) }
            await peer.heard { $0.joined().contains("canary-1") }
            peer.say(Array(#"{"jsonrpc":"2.0","id":2,"result":{}}"#.utf8))
            try await started.value
            let failure = PairingFailure("x", "No canary-1.", hint: "Not canary-1.", step: "a", retryFrom: "a")
            let form = InputForm(
                title: "Is it canary-1?",
                why: "Or canary-1?",
                fields: [
                    InputField("net", title: "T canary-1", hint: "H canary-1", choices: [.init("home")]),
                    InputField("word", title: "Password: 8 to 63 letters", kind: .password, fallback: "canary-1"),
                    InputField("other", title: "Other", fallback: "canary-1"),
                ],
                error: failure
            )
            peer.say(
                Self.note(
                    PairingProgress(
                        session: Self.session,
                        state: .needsInput,
                        step: "a",
                        steps: ["a"],
                        message: "It took canary-1.",
                        needsInput: form,
                        data: ["x": ["canary-1", 5], "token": "new", "ssid": "home"]
                    )
                )
            )
            peer.say(
                Self.note(PairingProgress(session: Self.session, state: .failed, step: "a", failure: failure))
            )
            _ = await host.end(of: Self.session)
            let told = host.progress(of: Self.session)
            #expect(!"\(told)".contains("canary"), "\(told)")
            #expect(told.first?.message == "It took <redacted>.")
            #expect(told.first?.data == ["x": ["<redacted>", 5], "token": "<redacted>", "ssid": "home"])
            #expect(told.first?.needsInput?.fields.first?.choices == [.init("home")])
            #expect(told.first?.needsInput?.fields[1].title == "Password: 8 to 63 letters")
            #expect(told.first?.needsInput?.fields[1].fallback == nil)
            // What stands in a secret's place must not come back as an answer.
            #expect(told.first?.needsInput?.fields[2].fallback == nil)
            #expect(told.first?.needsInput?.fields[2].isRequired == false)
            #expect(told.last?.failure?.hint == "Not <redacted>.")
            #expect(told.last?.failure?.retryFrom == "a")
        }
    }

    @Loop private static func recorded(_ peer: FarEnd) -> String {
        peer.recorder.lines(limit: 300).map(\.text).joined(separator: "\n")
    }
}
