import EventLoop
import Glibc
import JSON
import Simulators

/// `lintel-simulator cloud`.
struct CloudVerb {
    static let help = """
        Usage: lintel-simulator cloud --listen IP:PORT [options]

        Simulates the vendor's cloud until it is interrupted: accounts, homes, pairing tokens, devices, data models.

          --listen IP:PORT        where to listen (127.0.0.1:0, the port is printed)
          --plan FILE             JSON with accounts, devices and faults; without it one account with two homes
          --quiet                 no log of requests
          --exit-with-input       end when standard input ends

        Faults, clock and activation: POST /sim/fault, /sim/clock, /sim/activate; GET /sim/state.
        """

    private var address = SocketAddress(ipv4: 0x7F00_0001, port: 0)
    private var house = CloudHouse()
    private var isQuiet = false
    private var endsWithInput = false

    /// Reads the arguments behind `cloud`.
    init(_ arguments: [String]) throws(SimulatorOptions.Problem) {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            switch option {
            case "--quiet": isQuiet = true
            case "--exit-with-input": endsWithInput = true
            case "--listen": address = try Self.address(option, rest.popFirst())
            case "--plan": house = try Self.house(option, rest.popFirst())
            default: throw SimulatorOptions.Problem(message: "unknown option \(option)")
            }
        }
    }

    @Loop
    func run() async -> Int32 {
        do throws(LoopError) {
            let server = try CloudServer(house, bind: address)
            if !isQuiet {
                server.onRequest = { request, code in
                    SimulatorLog.line("\(request.method) \(request.path) \(code == 0 ? "ok" : "refused \(code)")")
                }
            }
            SimulatorLog.line("ready: cloud at \(server.url)")
            for account in server.house.accounts {
                SimulatorLog.line("account: client_id \(account.clientID) secret \(account.secret) uid \(account.uid)")
            }
            await waitForEnd()
            server.stop()
            return 0
        } catch {
            SimulatorProgram.complain("cannot listen at \(address): \(error)")
            return 1
        }
    }

    @Loop
    private func waitForEnd() async {
        let (ends, ending) = AsyncStream.makeStream(of: Void.self)
        let signals = [SIGINT, SIGTERM].map { signal in try? SignalWatch(signal) { ending.finish() } }
        let input = ControlInput { _ in }
        input.onEnd = { if endsWithInput { ending.finish() } }
        input.start()
        for await _ in ends {}
        input.stop()
        for signal in signals { signal?.cancel() }
    }

    private static func address(_ option: String, _ text: String?) throws(SimulatorOptions.Problem) -> SocketAddress {
        guard let text, let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]),
            let address = SocketAddress(ip: text[..<colon].filter { $0 != "[" && $0 != "]" }, port: port)
        else {
            throw SimulatorOptions.Problem(message: "\(option) takes IP:PORT")
        }
        return address
    }

    private static func house(_ option: String, _ path: String?) throws(SimulatorOptions.Problem) -> CloudHouse {
        guard let path else { throw SimulatorOptions.Problem(message: "\(option) needs a file") }
        do {
            return try CloudHouse(plan: JSON.parse(TextFile.read(path)))
        } catch {
            throw SimulatorOptions.Problem(message: "\(path): \(error)")
        }
    }
}
