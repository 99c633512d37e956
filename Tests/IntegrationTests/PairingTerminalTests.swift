import EventLoop
import Glibc
import JSON
import TestSupport
import Testing

@Loop
@Suite("Pairing at a terminal", .timeLimit(.minutes(10)))
struct PairingTerminalTests {
    /// A house whose second plugin pairs lamps that do not exist.
    static var plan: GatewayPlan {
        var plan = GatewayPlan()
        plan.fakePlugin = []
        return plan
    }

    private func pair(
        _ house: TestHouse,
        _ words: String...,
        columns: Int = 100,
        rows: Int = 40,
        environment: [String: String] = [:]
    ) throws -> TerminalRun {
        try TerminalRun.start(
            ["pair"] + words + ["--config", house.gateway.configuration],
            facts: house.facts,
            columns: columns,
            rows: rows,
            environment: environment
        )
    }

    @Test("a person chooses a method and a network by number, and a wrong password is asked for again")
    func success() async throws {
        try await withGateway(Self.plan) { house in
            let run = try pair(house, "fake", "--name", "Reading lamp")
            try await run.shows("How shall the device be paired?")
            try await run.shows("2  With questions")
            run.terminal.type("2\r")
            try await run.shows("Which network?")
            try await run.shows("1  home (-50 dBm)")
            try await run.shows("Network (number or name):")
            run.terminal.type("1\r")
            try await run.shows("Password:")
            run.terminal.type("wrong\r")
            try await run.shows("vendor's number 207211")
            try await run.shows("Network (number or name) [home (-50 dBm)]:")
            run.terminal.type("\r")
            try await run.shows("Password:")
            run.terminal.type("canary-right-password")
            try await run.shows("•••••••••••••••••••••")
            #expect(run.pids.count == 1)
            for pid in run.pids {
                #expect(!ProcessTable.commandLine(of: pid).joined(separator: " ").contains("canary"))
                #expect(!ProcessTable.environment(of: pid).contains("canary"))
            }
            run.terminal.type("\r")
            try await run.ended()
            #expect(run.exit == 0, "\(run.picture)")
            #expect(run.picture.contains("Paired: "), "\(run.picture)")
            #expect(run.picture.contains("✓ Add it to the home"), "\(run.picture)")
            #expect(run.terminal.isSane && run.terminal.screen.showsCursor && run.terminal.screen.wraps)
            #expect(!run.terminal.text.contains("canary"))
            let devices = try await house.client.request("devices/list", ["limit": 10])
            #expect(devices.text.contains("Reading lamp"), "\(devices.text)")
            // It went to the gateway in the answer, and came out of it nowhere.
            for heard in house.client.heard where !heard.topic.contains("/request/") {
                #expect(!heard.text.contains("canary"), "\(heard.topic)")
            }
            #expect(!house.gateway.text.contains("canary"))
        }
    }

    @Test("Ctrl-C cancels cleanly and leaves the terminal as it was")
    func interrupt() async throws {
        try await withGateway(Self.plan) { house in
            for method in ["slow", "ask"] {
                let run = try pair(house, "fake", method)
                try await run.shows(method == "slow" ? "Find the device" : "Network (number or name):")
                run.terminal.type("\u{3}")
                try await run.ended()
                #expect(run.exit == 130, "\(run.picture)")
                #expect(run.picture.contains("Cancelled; nothing was added."), "\(run.picture)")
                #expect(run.terminal.isSane && run.terminal.screen.showsCursor)
            }
            let status = try await house.client.request("pairing/status")
            let states = (status["data"]?["sessions"]?.arrayValue ?? []).compactMap { $0["state"]?.stringValue }
            #expect(states == ["cancelled", "cancelled"], "\(status.text)")
        }
    }

    @Test("Ctrl-C before anything is started, and the end of the input, start nothing", arguments: ["\u{3}", "\u{4}"])
    func nothing(key: String) async throws {
        try await withGateway(Self.plan) { house in
            let run = try pair(house, "fake")
            try await run.shows("Method (number or name):")
            run.terminal.type(key)
            try await run.ended()
            #expect(run.exit == 130, "\(run.picture)")
            #expect(run.terminal.isSane)
            #expect(try await house.client.request("pairing/status")["data"]?["sessions"] == [])
        }
    }

    @Test("a terminal that is killed away ends the session, and a program that is killed leaves it to be cancelled")
    func signals() async throws {
        try await withGateway(Self.plan) { house in
            let run = try pair(house, "fake", "slow")
            try await run.shows("Find the device")
            for pid in run.pids { kill(pid, SIGTERM) }
            try await run.ended()
            #expect(run.exit == 130, "\(run.picture)")
            #expect(run.terminal.isSane && run.terminal.screen.showsCursor)
            let crash = try pair(house, "fake", "slow")
            try await crash.shows("Find the device")
            for pid in crash.pids { kill(pid, SIGABRT) }
            try await crash.ended()
            #expect(crash.terminal.isSane && crash.terminal.screen.showsCursor)
            let sessions = try await house.client.request("pairing/status")["data"]?["sessions"]?.arrayValue ?? []
            let open = try #require(sessions.first { $0["state"] == "running" }?["session"]?.stringValue)
            let config = ["--config", house.gateway.configuration]
            let status = try await CommandLineRun.run(["pair", "status", open] + config, facts: house.facts)
            #expect(status.output.contains("running"), "\(status.output)")
            let cancel = try await CommandLineRun.run(["pair", "cancel", open] + config, facts: house.facts)
            #expect(cancel.exit == 0, "\(cancel.errors)")
            let history = try await CommandLineRun.run(["pair", "history"] + config, facts: house.facts)
            #expect(history.output.split(separator: "\n").count == 3, "\(history.output)")
            #expect(history.output.contains(open) && history.output.contains("cancelled"), "\(history.output)")
        }
    }

    @Test("a failed session is tried again from the failed step where somebody wants that")
    func again() async throws {
        try await withGateway(Self.plan) { house in
            let run = try pair(house, "fake", "fail")
            try await run.shows("Try again from")
            #expect(run.picture.contains("wifi_wrong_password") && run.picture.contains("✗"), "\(run.picture)")
            run.terminal.type("y\r")
            try await run.ended()
            #expect(run.exit == 0, "\(run.picture)")
            let other = try pair(house, "fake", "fail")
            try await other.shows("Try again from")
            other.terminal.type("\r")
            try await other.ended()
            #expect(other.exit == 5, "\(other.picture)")
        }
    }

    @Test("the screen follows a terminal that becomes small, without a line too many")
    func resize() async throws {
        try await withGateway(Self.plan) { house in
            let run = try pair(house, "fake", "ask")
            try await run.shows("Network (number or name):")
            run.terminal.setSize(30, 6)
            let before = run.terminal.bytes.count
            run.terminal.type("home")
            try await house.facts.until("it is drawn anew") { run.terminal.bytes.count > before + 20 }
            run.terminal.type("\r")
            try await run.shows("Password:")
            run.terminal.type("abc\r")
            try await run.ended()
            #expect(run.exit == 0, "\(run.picture)")
        }
    }

    @Test("a terminal that cannot redraw gets lines and is asked all the same; NO_COLOR has no colours")
    func dumb() async throws {
        try await withGateway(Self.plan) { house in
            let run = try pair(house, "fake", "ask", environment: ["TERM": "dumb"])
            try await run.shows("Network (number or name):")
            run.terminal.type("guest\n")
            try await run.shows("Password:")
            run.terminal.type("canary-pass\n")
            try await run.ended()
            #expect(run.exit == 0, "\(run.picture)")
            #expect(!run.terminal.text.contains("canary"))
            #expect(!run.terminal.text.contains("\u{1B}"), "\(run.terminal.text)")
            #expect(run.terminal.isSane)
            let colourless = try pair(house, "fake", "quick")
            try await colourless.ended()
            #expect(!colourless.terminal.text.contains("\u{1B}[32m"))
            #expect(colourless.picture.contains("Paired: "), "\(colourless.picture)")
        }
    }
}
