import EventLoop
import Glibc
import JSON
import TestSupport
import Testing

@Loop
@Suite("Pairing from scripts", .timeLimit(.minutes(10)))
struct PairingScriptTests {
    private func pair(_ house: TestHouse, _ words: String...) async throws -> CommandLineRun {
        try await CommandLineRun.run(
            ["pair"] + words + ["--config", house.gateway.configuration],
            facts: house.facts
        )
    }

    @Test("answers are options, each for one time of asking; --json prints every progress and how it ended")
    func json() async throws {
        try await withGateway(PairingTerminalTests.plan) { house in
            let wrong = try house.folder.write("wrong\n", to: "wrong")
            let right = try house.folder.write("canary-right\n", to: "right")
            let run = try await pair(
                house,
                "fake",
                "ask",
                "--json",
                "--ssid",
                "home",
                "--set",
                "password=@\(wrong)",
                "--set",
                "password=@\(right)"
            )
            #expect(run.exit == 0, "\(run.output)\(run.errors)")
            let lines = run.json
            #expect(lines.count == run.output.split(separator: "\n").count)
            #expect(lines.contains { $0["state"] == "needs_input" }, "\(run.output)")
            #expect(lines.dropLast().last?["state"] == "succeeded")
            #expect(lines.last?["result"] == "succeeded" && lines.last?["exit"] == 0, "\(run.output)")
            #expect(lines.last?["devices"]?.arrayValue?.count == 1)
            #expect(!run.output.contains("canary") && !run.errors.contains("canary"))
            #expect(!house.gateway.text.contains("canary"))
        }
    }

    @Test("without a terminal an answer that is missing cancels the session, and says which option gives it")
    func missing() async throws {
        try await withGateway(PairingTerminalTests.plan) { house in
            let run = try await pair(house, "fake", "ask", "--ssid", "home")
            #expect(run.exit == 2, "\(run.output)\(run.errors)")
            #expect(run.errors.contains("--set password=@FILE"), "\(run.errors)")
            #expect(!run.output.contains("\u{1B}"), "\(run.output)")
            let plain = try await pair(
                house,
                "fake",
                "ask",
                "--set",
                "ssid=home",
                "--set",
                "password=canary-x",
                "--json"
            )
            #expect(plain.exit == 2)
            #expect(plain.errors.contains("command line") && !plain.errors.contains("canary"), "\(plain.errors)")
            let wrong = try house.folder.write("wrong", to: "wrong")
            let refused = try await pair(house, "fake", "ask", "--ssid", "home", "--password-file", wrong, "--json")
            #expect(refused.exit == 5, "\(refused.output)\(refused.errors)")
            #expect(refused.json.last?["result"] == "refused", "\(refused.output)")
            #expect(refused.errors.contains("207211"), "\(refused.errors)")
            let states = try await house.client.request("pairing/status")["data"]?["sessions"]?.arrayValue ?? []
            #expect(states.allSatisfy { $0["state"] == "cancelled" } && states.count == 2, "\(states)")
        }
    }

    @Test("secrets come from standard input, or are named and stay in the configuration; none is seen anywhere")
    func secrets() async throws {
        var plan = PairingTerminalTests.plan
        plan.lines = ["secrets:", "  wifi-home: canary-of-configuration"]
        try await withGateway(plan) { house in
            let config = ["--config", house.gateway.configuration]
            let input = try await CommandLineRun.run(
                ["pair", "fake", "ask", "--json", "--set", "ssid=home", "--set", "password=-"] + config,
                facts: house.facts,
                input: "canary-of-a-pipe\nmore\n"
            )
            #expect(input.exit == 0, "\(input.output)\(input.errors)")
            let named = try await pair(
                house,
                "fake",
                "ask",
                "--json",
                "--ssid",
                "home",
                "--secret-ref",
                "password=wifi-home"
            )
            #expect(named.exit == 0, "\(named.output)\(named.errors)")
            let unknown = try await pair(
                house,
                "fake",
                "ask",
                "--json",
                "--ssid",
                "home",
                "--secret-ref",
                "password=nope"
            )
            #expect(unknown.exit == 1, "\(unknown.output)")
            #expect(unknown.output.contains("wifi-home"), "\(unknown.output)")
            let nothing = try await CommandLineRun.run(
                ["pair", "fake", "ask", "--set", "password=-"] + config,
                facts: house.facts,
                input: ""
            )
            #expect(nothing.exit == 2, "\(nothing.errors)")
            var said = [input, named, unknown, nothing].map { $0.output + $0.errors } + [house.gateway.text]
            // A secret that is named does not travel at all; another one is only in what was sent.
            said += house.client.heard.filter {
                !$0.text.contains("canary-of-a-pipe") || !$0.topic.contains("/request/")
            }
            .map(\.text)
            for text in said { #expect(!text.contains("canary"), "\(text.prefix(300))") }
        }
    }

    @Test("a radio that is not there is told of, and help explains pairing")
    func radio() async throws {
        var plan = PairingTerminalTests.plan
        plan.lines = ["wifi: {way: off}"]
        try await withGateway(plan) { house in
            let config = ["--config", house.gateway.configuration]
            let status = try await CommandLineRun.run(["wifi", "status"] + config, facts: house.facts)
            #expect(status.exit == 0 && status.output.contains("failure"), "\(status.output)\(status.errors)")
            let scan = try await CommandLineRun.run(["wifi", "scan"] + config, facts: house.facts)
            #expect(scan.exit == 1 && !scan.errors.isEmpty, "\(scan.output)")
            let help = try await CommandLineRun.run(["help", "pair"], facts: house.facts)
            #expect(help.output.contains("--secret-ref FIELD=NAME") && help.output.contains("pair history"))
        }
    }

    @Test("plain lines say what happens, and a failed session has an exit status of its own")
    func plain() async throws {
        try await withGateway(PairingTerminalTests.plan) { house in
            let batch = try await pair(house, "fake", "batch")
            #expect(batch.exit == 0, "\(batch.errors)")
            #expect(batch.output.contains("Paired: "), "\(batch.output)")
            let failed = try await pair(house, "fake", "fail")
            #expect(failed.exit == 5, "\(failed.output)")
            #expect(failed.output.contains("wifi_wrong_password"), "\(failed.output)")
            let crashed = try await pair(house, "fake", "crash")
            #expect(crashed.exit == 5, "\(crashed.output)")
        }
    }

    @Test("what does not exist is refused before anything starts, with what there is")
    func unknown() async throws {
        try await withGateway(PairingTerminalTests.plan) { house in
            let method = try await pair(house, "fake", "nope")
            #expect(method.exit == 2)
            #expect(method.errors.contains("quick, ask"), "\(method.errors)")
            let several = try await pair(house, "fake")
            #expect(several.exit == 2)
            #expect(several.errors.contains("quick, ask"), "\(several.errors)")
            let plugin = try await pair(house, "zigbee", "ap")
            #expect(plugin.exit == 1)
            #expect(plugin.errors.contains("plugin_not_found"), "\(plugin.errors)")
            let room = try await pair(house, "fake", "quick", "--room", "cellar")
            #expect(room.exit == 2 && room.errors.contains("cellar"), "\(room.errors)")
            #expect(try await house.client.request("pairing/status")["data"]?["sessions"] == [])
            let list = try await pair(house, "--list")
            #expect(list.exit == 0)
            #expect(list.output.contains("With questions"), "\(list.output)")
        }
    }

    @Test("a broker that is restarted in the middle loses nothing")
    func broker() async throws {
        try await withGateway(PairingTerminalTests.plan) { house in
            let run = try TerminalRun.start(
                ["pair", "fake", "ask", "--config", house.gateway.configuration],
                facts: house.facts
            )
            try await run.shows("Network (number or name):")
            try await house.broker.restart()
            // Typed before anybody may hear it again.
            run.terminal.type("1\r")
            try await run.shows("Password:")
            run.terminal.type("abc\r")
            try await run.ended()
            #expect(run.exit == 0, "\(run.picture)")
        }
    }

    @Test("a gateway that is restarted in the middle is told of")
    func gateway() async throws {
        try await withGateway(PairingTerminalTests.plan) { house in
            let run = try TerminalRun.start(
                ["pair", "fake", "slow", "--config", house.gateway.configuration],
                facts: house.facts
            )
            try await run.shows("Find the device")
            try await house.gateway.kill()
            try house.gateway.start()
            try await run.shows("(interrupted)")
            try await run.shows("Try again from")
            run.terminal.type("n\r")
            try await run.ended()
            #expect(run.exit == 5, "\(run.picture)")
        }
    }
}
