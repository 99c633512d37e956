import EventLoop
import Glibc

/// The program: reads the command line and runs a verb on the loop.
@main
enum Program {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        Loop.runMain { await run(arguments).rawValue }
    }

    @Loop
    private static func run(_ arguments: [String]) async -> ExitCode {
        let terminal = Terminal(wantsJSON: arguments.contains("--json"))
        do {
            let words = arguments.isEmpty || arguments == ["--help"] || arguments == ["-h"] ? ["help"] : arguments
            let invocation = try Invocation.parse(words == ["--version"] ? ["version"] : words, table: Verb.table)
            if invocation.flag("help") {
                terminal.line(Help.page(invocation.verb))
                return .ok
            }
            return try await perform(invocation, words, terminal)
        } catch let failure as Failure {
            terminal.complain("\(terminal.paint("lintel:", .bad)) \(failure.message)")
            if let hint = failure.hint { terminal.complain(hint) }
            return failure.exit
        } catch {
            terminal.complain("lintel: \(error)")
            return .failed
        }
    }

    @Loop
    private static func perform(_ invocation: Invocation, _ words: [String], _ terminal: Terminal) async throws
        -> ExitCode
    {
        switch invocation.verb.name {
        case "help":
            guard !invocation.operands.isEmpty else {
                terminal.line(Help.overview(Verb.table))
                return .ok
            }
            let asked = invocation.operands.joined(separator: " ")
            let pages = Verb.table.filter {
                let words = $0.name.split(separator: " ")
                let isAsked = words.filter { !$0.hasPrefix("<") }.joined(separator: " ") == asked
                return $0.name == asked || isAsked || words.contains(Substring(asked))
            }
            guard !pages.isEmpty else {
                throw Failure(.usage, "There is no lintel \(asked).", hint: "See lintel help.")
            }
            terminal.line(pages.map(Help.page).joined(separator: "\n\n"))
            return .ok
        case "version":
            terminal.line(terminal.wantsJSON ? #"{"version":"\#(Version.text)"}"# : "lintel \(Version.text)")
            return .ok
        case "config check":
            return ConfigCheck.run(invocation, terminal)
        case "run":
            return try await RunVerb.run(invocation, terminal)
        case "demo":
            return try await Demo.run(invocation, terminal)
        default:
            let place = try BrokerPlace(invocation)
            let gateway = try await GatewayClient.connect(
                place.options,
                baseTopic: place.baseTopic,
                timeout: place.timeout
            )
            let id =
                invocation.verb.name.hasPrefix("device <id>")
                ? words.first { $0 != "device" && !$0.hasPrefix("-") } : nil
            let code = try await ClientVerbs(invocation: invocation, gateway: gateway, terminal: terminal).run(
                id: id ?? ""
            )
            await gateway.close()
            return code
        }
    }
}

/// The version of this build.
enum Version {
    static let text = "0.1.0"
}
