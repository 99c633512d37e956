import EventLoop
import Glibc
import HomeModel
import JSON

/// `lintel pair <plugin> [<method>]`: brings a device in, step by step.
@Loop
final class PairVerb {
    private let invocation: Invocation
    private let gateway: GatewayClient
    private let terminal: Terminal
    private var stage: any PairingStage
    private var watches: [SignalWatch] = []
    private var run: PairingRun?

    init(invocation: Invocation, gateway: GatewayClient, terminal: Terminal) {
        self.invocation = invocation
        self.gateway = gateway
        self.terminal = terminal
        stage = JSONStage(terminal: terminal)
    }

    /// A request that the gateway refused; it is printed as other verbs do.
    struct Refusal: Error {
        var answer: JSON
    }

    /// Carries it out.
    ///
    /// - Throws: ``Failure``, ``Refusal``.
    func perform() async throws -> ExitCode {
        let keyboard = terminal.wantsJSON || isatty(STDOUT_FILENO) == 0 ? nil : Keyboard()
        let given = try await GivenAnswers.read(invocation, isAtTerminal: isatty(STDIN_FILENO) == 1)
        let plugin = invocation.operands.first
        stage = makeStage(plugin.map { "Pairing a device with \($0)" } ?? "Pairing a device", keyboard)
        watchSignals()
        // They hold this object until then; nobody else does.
        defer { watches = [] }
        do {
            let outcome = try await pair(plugin, given)
            stage.finish(outcome)
            return outcome.exit
        } catch {
            stage.finish(.notStarted((error as? Failure)?.exit ?? .failed))
            throw error
        }
    }

    private func makeStage(_ title: String, _ keyboard: Keyboard?) -> any PairingStage {
        guard !terminal.wantsJSON else { return JSONStage(terminal: terminal) }
        let environment = ProcessEnvironment.all
        let glyphs = Glyphs.suitable(for: environment)
        let kind = environment["TERM"] ?? ""
        guard isatty(STDOUT_FILENO) == 1, !kind.isEmpty, kind != "dumb" else {
            return PlainStage(title, terminal: terminal, keyboard: keyboard, glyphs: glyphs)
        }
        return LiveStage(title, terminal: terminal, keyboard: keyboard, glyphs: glyphs)
    }

    private func watchSignals() {
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // Without a watch the default action ends the program, and the terminal is left as it was by then.
            if let watch = try? SignalWatch(signal, { self.interrupted() }) { watches.append(watch) }
        }
    }

    private func interrupted() {
        if let run { return run.interrupt() }
        // Nothing is started yet.
        stage.finish(.notStarted(.interrupted))
        exit(ExitCode.interrupted.rawValue)
    }

    // MARK: Before the session

    private func pair(_ plugin: String?, _ given: GivenAnswers) async throws -> PairingOutcome {
        var given = given
        let choice = try await choose(plugin)
        var arguments: JSONObject = ["plugin": .string(choice.plugin), "method": .string(choice.method.id)]
        for (key, value) in try await place() { arguments[key] = value }
        if let name = invocation.options["name"] { arguments["name"] = .string(name) }
        if let form = choice.method.form {
            let input = try await startInput(form, &given)
            if !input.isEmpty { arguments["input"] = .object(input) }
        }
        return try await see("pairing/start", arguments, given)
    }

    private func choose(_ plugin: String?) async throws -> MethodChoice {
        var filter = JSONObject()
        if let plugin { filter["plugin"] = .string(plugin) }
        let answer = try await gateway.request("pairing/methods", filter)
        guard answer["status"] != "error" else { throw Refusal(answer: answer) }
        let choices = MethodChoice.list(answer["data"] ?? .null).filter { $0.plugin == plugin ?? $0.plugin }
        guard !choices.isEmpty else {
            throw Failure(.failed, "\(plugin ?? "No plugin") pairs no devices.", hint: "See lintel pair --list.")
        }
        let known = choices.map { plugin == nil ? $0.key : $0.method.id }.joined(separator: ", ")
        if invocation.operands.count > 1 {
            let wanted = invocation.operands[1]
            if let found = choices.first(where: { $0.method.id == wanted }) { return found }
            throw Failure(.usage, "\(plugin ?? "") has no method \(Cells.clean(wanted)).", hint: "Methods: \(known).")
        }
        if choices.count == 1, plugin != nil { return choices[0] }
        guard stage.canAsk else {
            throw Failure(.usage, "Which method? There are several.", hint: "Methods: \(known).")
        }
        let form = MethodChoice.form(choices, namesPlugins: plugin == nil)
        let key = try await answers(to: form)["method"]?.stringValue
        return choices.first { $0.key == key } ?? choices[0]
    }

    /// Asks before there is a session.
    private func answers(to form: InputForm, known: JSONObject = JSONObject()) async throws -> JSONObject {
        guard let answers = await stage.answers(to: form, known: known) else {
            throw Failure(.interrupted, "Nothing was started.")
        }
        return answers
    }

    /// What must be known at the start; what may be known comes from options only, and is asked for when it is needed.
    private func startInput(_ form: InputForm, _ given: inout GivenAnswers) async throws -> JSONObject {
        let known = try given.take(for: form)
        var needed = form
        needed.fields = form.fields.filter { $0.isRequired && $0.fallback == nil }
        guard let missing = needed.fields.first(where: { known[$0.name] == nil }) else { return known }
        guard stage.canAsk else {
            throw Failure(
                .usage,
                "\(Cells.clean(missing.name)) (\(Cells.clean(missing.title))) is missing, and there is nobody to ask.",
                hint: GivenAnswers.ways(of: missing)
            )
        }
        return try await answers(to: needed, known: known)
    }

    /// The ids of the home and the room that are meant by an id or a name.
    private func place() async throws -> JSONObject {
        let (home, room) = (invocation.options["home"], invocation.options["room"])
        guard home != nil || room != nil else { return JSONObject() }
        let answer = try await gateway.request("home/list")
        let homes = answer["data"]?["homes"]?.arrayValue ?? []
        if let room {
            if let found = ClientVerbs.place(room, home, homes) { return ["home": found.home, "room": found.room] }
            let known = homes.flatMap { $0["rooms"]?.arrayValue ?? [] }.map { $0["id"].words }
            throw Failure(
                .usage,
                "There is no room \(room), or more than one.",
                hint: "\(Self.known("Rooms", known)) \(Self.making("room", room, isFirst: homes.isEmpty))"
            )
        }
        let meant = homes.filter { $0["id"]?.stringValue == home || $0["name"]?.stringValue == home }
        guard meant.count == 1, let id = meant[0]["id"] else {
            throw Failure(
                .usage,
                "There is no home \(home ?? ""), or more than one.",
                hint: "\(Self.known("Homes", homes.map { $0["id"].words })) \(Self.making("home", home ?? ""))"
            )
        }
        return ["home": id]
    }

    private static func known(_ what: String, _ ids: [String]) -> String {
        "\(what): \(ids.isEmpty ? "none yet" : ids.joined(separator: ", "))."
    }

    /// How a home or room of that name is made; a room needs a home to be in.
    private static func making(_ what: String, _ name: String, isFirst: Bool = false) -> String {
        // An apostrophe would end the shell's quotation.
        let name = JSON.string(name).text.split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: #"'\''"#)
        let home = isFirst ? #"lintel request home/add '{"name":"My home"}', then: "# : ""
        return "Make it with: \(home)lintel request \(what)/add '{\"name\":\(name)}'"
    }

    // MARK: The session

    /// Sees a session through, and others after it where it fails and somebody wants to try again.
    private func see(_ path: String, _ arguments: JSONObject, _ given: GivenAnswers) async throws -> PairingOutcome {
        var (path, arguments, given) = (path, arguments, given)
        while true {
            let run = PairingRun(gateway: gateway, stage: stage, given: given)
            self.run = run
            let (outcome, refusal) = try await run.run(path, arguments)
            self.run = nil
            given = run.given
            if let refusal { throw Refusal(answer: refusal) }
            let end = outcome ?? .left
            guard let report = run.report, case .ended(let state) = end, state == .failed,
                try await wantsAgain(report)
            else {
                if end == .succeeded, !given.unused.isEmpty {
                    let names = given.unused.map(Cells.clean).joined(separator: ", ")
                    terminal.complain("Nothing asked for: \(names).")
                }
                return end
            }
            (path, arguments) = ("pairing/retry", ["session": .string(report.session)])
        }
    }

    private func wantsAgain(_ report: SessionReport) async throws -> Bool {
        guard stage.canAsk, let step = report.failure?.retryFrom else { return false }
        let form = InputForm(
            title: "Try again from \"\(PairingWords.title(ofStep: step))\"?",
            fields: [InputField("again", title: "Again", kind: .flag, fallback: false)]
        )
        return await stage.answers(to: form)?["again"] == true
    }
}
