import EventLoop
import JSON
import MQTT

/// The verbs that speak to the running gateway.
@Loop
struct ClientVerbs {
    let invocation: Invocation
    let gateway: GatewayClient
    let terminal: Terminal

    /// Carries out the verb.
    ///
    /// - Parameter id: the device's id, for the verbs of a device.
    /// - Returns: `failed` where the gateway answered with an error.
    func run(id: String) async throws -> ExitCode {
        switch invocation.verb.name {
        case "status": try await status()
        case "devices": try await devices()
        case "homes": try await ask("home/list", show: Listing.homes)
        case "device <id> show": try await ask("device/get", ["id": .string(id)], show: Listing.device)
        case "device <id> history": try await history(id)
        case "device <id> rename":
            try await ask("device/rename", ["id": .string(id), "name": .string(invocation.operands[0])])
        case "device <id> move": try await move(id)
        case "device <id> remove": try await remove(id)
        case "device <id> get": try await get(id)
        case "device <id> set": try await set(id)
        case "device <id> action": try await action(id)
        case "device <id> watch": try await watch(id)
        case "plugin list": try await ask("plugin/list", show: Listing.plugins)
        case "plugin reload": try await ask("plugin/reload", ["id": .string(invocation.operands[0])])
        case "plugin logs": try await logs()
        case "pair": try await pair()
        case "pair status": try await pairStatus()
        case "pair cancel": try await ask("pairing/cancel", ["session": .string(invocation.operands[0])])
        case "pair history": try await pairHistory()
        case "wifi status": try await ask("wifi/status", show: Listing.radio)
        case "wifi scan": try await ask("wifi/scan", show: Listing.networks)
        case "request": try await request()
        case "mqtt tail": try await tail()
        default: throw Failure(.usage, "lintel \(invocation.verb.name) is not a client's verb.")
        }
    }

    // MARK: - Asking

    func ask(
        _ path: String,
        _ arguments: JSONObject = [:],
        show: ((JSON, Terminal) -> Void)? = nil
    ) async throws -> ExitCode {
        finish(try await gateway.request(path, arguments), data: "data", show: show)
    }

    func finish(_ answer: JSON, data key: String?, show: ((JSON, Terminal) -> Void)? = nil) -> ExitCode {
        let isError = answer["status"] == "error"
        if terminal.wantsJSON {
            terminal.line(answer.text)
        } else if isError {
            let code = answer["error"]?["code"]?.stringValue ?? "internal"
            terminal.complain("\(terminal.paint(code, .bad)): \(answer["error"]?["message"]?.stringValue ?? "")")
            if let hint = Self.hint(code, answer) { terminal.complain(terminal.paint(hint, .faint)) }
        } else if let show {
            show(key.flatMap { answer[$0] } ?? answer, terminal)
        } else {
            terminal.line("\(terminal.paint("ok", .good)) \(key.flatMap { answer[$0]?.text } ?? "")")
        }
        return isError ? .failed : .ok
    }

    /// The answer's hint in the words of this program, which has options and verbs where MQTT has members and requests.
    private static func hint(_ code: String, _ answer: JSON) -> String? {
        switch code {
        case "device_not_found": return "lintel devices lists all ids."
        case "expert_only": return "Give --expert if you know what the device does with it."
        case "unknown_request":
            let known = answer["error"]?["data"]?["known"] ?? answer["data"]?["known"]
            return known?.arrayValue.map { "Requests: \($0.map { JSON?($0).words }.joined(separator: ", "))." }
        case "value_out_of_range" where answer["error"]?["hint"]?.stringValue?.contains("clamp") == true:
            return "Give --clamp to take the nearest value allowed."
        default: return answer["error"]?["hint"]?.stringValue
        }
    }

    private func status() async throws -> ExitCode {
        let info = try await gateway.request("info")
        let health = try await gateway.request("health_check")
        let plugins = try await gateway.request("plugin/list")
        if terminal.wantsJSON {
            let parts: JSON = [
                "info": info["data"] ?? .null, "health": health["data"] ?? .null,
                "plugins": plugins["data"]?["plugins"] ?? .null,
            ]
            terminal.line(parts.text)
            return .ok
        }
        Listing.status(info["data"] ?? .null, health: health["data"] ?? .null, terminal)
        Listing.plugins(plugins["data"] ?? .null, terminal)
        return .ok
    }

    private func devices() async throws -> ExitCode {
        var all: [JSON] = []
        while true {
            let answer = try await gateway.request(
                "devices/list",
                ["offset": .integer(Int64(all.count)), "limit": 500]
            )
            guard answer["status"] == "ok" else { return finish(answer, data: nil) }
            all += answer["data"]?["devices"]?.arrayValue ?? []
            if answer["data"]?["has_more"] != true { break }
        }
        if terminal.wantsJSON {
            for device in all { terminal.line(device.text) }
        } else {
            Listing.devices(all, terminal)
        }
        return .ok
    }

    private func history(_ id: String) async throws -> ExitCode {
        var arguments: JSONObject = ["id": .string(id)]
        arguments["limit"] = try limit()
        return try await ask("device/history", arguments, show: Listing.history)
    }

    private func move(_ id: String) async throws -> ExitCode {
        var arguments: JSONObject = ["id": .string(id), "room": .string(invocation.operands[0])]
        if let home = invocation.options["home"] { arguments["home"] = .string(home) }
        let homes = try await gateway.request("home/list")["data"]?["homes"]?.arrayValue ?? []
        if let place = Self.place(invocation.operands[0], invocation.options["home"], homes) {
            arguments["room"] = place.room
            arguments["home"] = place.home
        }
        return try await ask("device/move", arguments)
    }

    /// The ids of a room, and of its home, that is meant by a name; nil where it is none or not only one.
    static func place(_ room: String, _ home: String?, _ homes: [JSON]) -> (home: JSON, room: JSON)? {
        let isMeant = { (thing: JSON, word: String) in
            thing["id"]?.stringValue == word || thing["name"]?.stringValue == word
        }
        let found = homes.filter { candidate in home.map { isMeant(candidate, $0) } ?? true }.flatMap { home in
            (home["rooms"]?.arrayValue ?? []).filter { isMeant($0, room) }.map {
                (home["id"] ?? .null, $0["id"] ?? .null)
            }
        }
        return found.count == 1 ? found.first : nil
    }

    private func remove(_ id: String) async throws -> ExitCode {
        try await ask(
            "device/remove",
            [
                "id": .string(id), "unpair": .bool(invocation.flag("unpair")),
                "force": .bool(invocation.flag("force")),
            ]
        )
    }

    private func logs() async throws -> ExitCode {
        var arguments: JSONObject = ["id": .string(invocation.operands[0])]
        arguments["limit"] = try limit()
        return try await ask("plugin/logs", arguments, show: Listing.lines)
    }

    private func request() async throws -> ExitCode {
        var arguments = JSONObject()
        if invocation.operands.count == 2 {
            guard let object = (try? JSON.parse(invocation.operands[1]))?.objectValue else {
                throw Failure(.usage, "The arguments must be a JSON object.")
            }
            arguments = object
        }
        return try await ask(invocation.operands[0], arguments)
    }

    func limit() throws -> JSON? {
        guard let text = invocation.options["limit"] else { return nil }
        guard let number = Int64(text) else { throw Failure(.usage, "--limit takes a number.") }
        return .integer(number)
    }

    // MARK: - Commanding

    private func set(_ id: String) async throws -> ExitCode {
        var payload = try Assignments.parse(invocation.operands)
        if invocation.flag("clamp") { payload["clamp"] = true }
        if invocation.flag("expert") { payload["expert"] = true }
        return finish(try await gateway.command(id, "set", payload), data: nil, show: Listing.written)
    }

    private func get(_ id: String) async throws -> ExitCode {
        var payload = JSONObject()
        if !invocation.operands.isEmpty { payload["properties"] = .array(invocation.operands.map { .string($0) }) }
        return finish(try await gateway.command(id, "get", payload), data: "state", show: Listing.state)
    }

    private func action(_ id: String) async throws -> ExitCode {
        var payload = JSONObject()
        if invocation.operands.count == 2 {
            guard let object = (try? JSON.parse(invocation.operands[1]))?.objectValue else {
                throw Failure(.usage, "The input must be a JSON object.")
            }
            payload = object
        }
        return finish(try await gateway.command(id, "action/\(invocation.operands[0])", payload), data: "output")
    }

    // MARK: - Watching

    private func watch(_ id: String) async throws -> ExitCode {
        // A device that does not exist would be watched in silence for ever.
        let known = try await gateway.request("device/get", ["id": .string(id)])
        guard known["status"] == "ok" else { return finish(known, data: nil) }
        let base = "\(gateway.baseTopic)/device/\(id)"
        try await gateway.listen(to: ["\(base)/state", "\(base)/availability", "\(base)/event"]) { message in
            guard message.topic.hasPrefix(base + "/") else { return }
            let leaf = String(message.topic.dropFirst(base.count + 1))
            if terminal.wantsJSON {
                let payload = (try? JSON.parse(message.payload)) ?? .string(message.text)
                terminal.line(JSON.object([leaf: payload]).text)
            } else {
                terminal.line("\(terminal.paint(leaf, .faint)) \(message.text)")
            }
        }
        return await forever()
    }

    private func tail() async throws -> ExitCode {
        let filters = invocation.operands.isEmpty ? ["\(gateway.baseTopic)/#"] : invocation.operands
        try await gateway.listen(to: filters) { message in
            if terminal.wantsJSON {
                let payload = (try? JSON.parse(message.payload)) ?? .string(message.text)
                terminal.line(
                    JSON.object(["topic": .string(message.topic), "retain": .bool(message.retain), "payload": payload])
                        .text
                )
            } else {
                let mark = message.retain ? terminal.paint(" (retained)", .faint) : ""
                terminal.line("\(terminal.paint(message.topic, .strong))\(mark) \(message.text)")
            }
        }
        return await forever()
    }

    /// Waits for Ctrl-C.
    private func forever() async -> ExitCode {
        await Interruption.wait()
        await gateway.close()
        return .ok
    }
}
