import DeviceInterface
import EventLoop
import Glibc
import HomeModel
import JSON
import TestSupport

/// All that a plugin can do wrong, each by a name: `{"kind": "exit", "code": 3}`.
@Loop
final class Trouble {
    /// The protocol's own descriptor.
    private let wire: Int32
    private var timers: [LoopTimer] = []
    private var watch: SignalWatch?

    nonisolated init(wire: Int32) { self.wire = wire }

    /// Makes trouble; what comes after it is an answer all the same.
    func make(_ input: JSON, host: (any AdapterHost)?, setup: AdapterSetup?, reply: @escaping Reply<JSON>) {
        let count = input["count"]?.intValue ?? 1
        switch input["kind"]?.stringValue {
        case "exit": exit(Int32(truncatingIfNeeded: input["code"]?.intValue ?? 0))
        case "crash": kill(getpid(), SIGKILL)
        case "hang": while true { pause() }
        case "stubborn": watch = try? SignalWatch(SIGTERM) {}
        case "silence": return
        case "garbage": write("this is not JSON\n")
        case "half_line":
            write(#"{"jsonrpc":"2.0","method":"device/st"#)
            kill(getpid(), SIGKILL)
        case "long_line": write(String(repeating: "x", count: input["bytes"]?.intValue ?? 2 << 20))
        case "raw": write(input["text"]?.stringValue ?? "")
        case "deaf":
            // Asks for a long value, again and again, and reads no answer.
            let long = String(repeating: "x", count: 60_000)
            write(#"{"jsonrpc":"2.0","id":"a","method":"store/set","params":{"key":"k","value":"\#(long)"}}"# + "\n")
            for number in 0..<count {
                write(#"{"jsonrpc":"2.0","id":\#(number),"method":"store/get","params":{"key":"k"}}"# + "\n")
            }
            while true { pause() }
        case "close_output":
            shutdown(wire, Int32(SHUT_WR))
            return
        case "slow":
            let delay = Duration.milliseconds(input["ms"]?.intValue ?? 100)
            timers.append(LoopTimer(after: delay) { reply(.success(["slept": true])) })
            return
        case "flood": flood(count, host)
        case "events":
            for number in 0..<count {
                host?.deviceEvent(
                    EventReport(device: FakeAdapter.lamp, event: "pressed", data: JSON(number), at: .wallClock)
                )
            }
        case "print": print(input["text"]?.stringValue ?? "")
        case "complain": complain(input["text"]?.stringValue ?? "")
        case "grandchild": return reply(.success(JSON(grandchild())))
        case "environment": return reply(.success(environment()))
        case "limits": return reply(.success(limits()))
        case "blab":
            blab(setup, host, reply)
            return
        case let other:
            return reply(.failure(CommandError(.badRequest, "There is no trouble called \(other ?? "")")))
        }
        reply(.success(.null))
    }

    private func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(wire, $0.baseAddress, $0.count) }
            if written > 0 {
                rest = rest.dropFirst(written)
            } else if errno == EAGAIN {
                var ready = pollfd(fd: wire, events: Int16(POLLOUT), revents: 0)
                poll(&ready, 1, 1000)
            } else {
                return
            }
        }
    }

    private func complain(_ text: String) {
        var text = text + "\n"
        text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    private func flood(_ count: Int, _ host: (any AdapterHost)?) {
        for number in 0..<count {
            host?.deviceReported(
                StateReport(device: FakeAdapter.lamp, state: ["brightness": JSON(number % 256)], at: .wallClock)
            )
        }
        host?.deviceReported(StateReport(device: FakeAdapter.lamp, state: ["brightness": 77], at: .wallClock))
    }

    /// Leaves a process behind that sleeps for long and holds our pipes.
    private func grandchild() -> Int {
        var pid = pid_t()
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("600"), nil]
        defer { for argument in arguments { free(argument) } }
        posix_spawnp(&pid, "sleep", nil, nil, &arguments, environ)
        return Int(pid)
    }

    private func environment() -> JSON {
        var variables = JSONObject()
        var next = environ
        while let entry = next.pointee {
            let parts = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            variables[String(parts[0])] = .string(parts.count > 1 ? String(parts[1]) : "")
            next += 1
        }
        return .object(variables)
    }

    private func limits() -> JSON {
        var files = rlimit()
        var core = rlimit()
        getrlimit(Int32(RLIMIT_NOFILE.rawValue), &files)
        getrlimit(Int32(RLIMIT_CORE.rawValue), &core)
        return ["files": JSON(UInt64(files.rlim_cur)), "core": JSON(UInt64(core.rlim_cur))]
    }

    /// Tells every secret that it knows in every way that it has.
    private func blab(_ setup: AdapterSetup?, _ host: (any AdapterHost)?, _ reply: Reply<JSON>) {
        guard let setup, let host else { return reply(.success(.null)) }
        var secrets = setup.devices.flatMap { $0.secrets.exposed.values }
        if let password = setup.config["password"]?.stringValue { secrets.append(password) }
        for secret in secrets {
            print("printed \(secret)")
            complain("complained \(secret)")
            complain("local_key=\(secret) token: \"\(secret)\"")
            complain("url http://user:\(secret)@host/")
            host.log(AdapterLogRecord(level: "info", message: "logged \(secret)", metadata: ["fact": secret]))
            host.statusChanged(AdapterStatus(.degraded, detail: "status \(secret)"))
            host.deviceConnectivity(FakeAdapter.lamp, Connectivity(isOnline: true, detail: "detail \(secret)"))
            let escaped = secret.unicodeScalars.map { scalar in
                let digits = String(scalar.value, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
            write(#"{"jsonrpc":"2.0","method":"unheard/of","params":{"a":"\#(escaped.joined())"}}"# + "\n")
        }
        reply(
            .failure(
                CommandError(
                    .internal,
                    "failed \(secrets.joined(separator: " "))",
                    hint: "hint \(secrets.first ?? "")",
                    details: ["fact": .string(secrets.first ?? "")]
                )
            )
        )
    }
}
