import JSON

/// How answers look to a person.
enum Listing {
    static func status(_ info: JSON, health: JSON, _ terminal: Terminal) {
        let online = health["devices_online"]?.intValue ?? 0
        let all = health["devices"]?.intValue ?? 0
        terminal.line("\(terminal.paint("lintel \(info["version"].words)", .strong)) on \(info["base_topic"].words)")
        terminal.line("  since     \(info["started_at"].words)")
        terminal.line("  MQTT      \(info["mqtt"]?["version"].words ?? "-")")
        terminal.line("  devices   \(online) of \(all) online")
        let refused = health["refused_topics"]?.arrayValue ?? []
        if !refused.isEmpty {
            terminal.line(
                "  \(terminal.paint("refused", .bad))   \(refused.map { JSON?($0).words }.joined(separator: ", "))"
            )
        }
        terminal.line()
    }

    static func devices(_ devices: [JSON], _ terminal: Terminal) {
        guard !devices.isEmpty else { return terminal.line("No devices yet.") }
        var rows = [["id", "name", "kind", "room", "plugin", "state"]]
        for device in devices {
            rows.append([
                device["id"].words, device["name"].words, device["kind"].words, device["room"]?.stringValue ?? "-",
                device["plugin"].words, state(device),
            ])
        }
        terminal.table(rows, tones: [5: { $0 == "online" ? .good : .bad }])
    }

    private static func state(_ device: JSON) -> String {
        if device["online"] == true { return "online" }
        return "offline\(device["reason"]?.stringValue.map { " (\($0))" } ?? "")"
    }

    static func device(_ device: JSON, _ terminal: Terminal) {
        let isOnline = device["online"] == true
        let reason = device["reason"]?.stringValue.map { " (\($0))" } ?? ""
        terminal.line(
            "\(terminal.paint(device["name"].words, .strong))  \(terminal.paint(isOnline ? "online" : "offline\(reason)", isOnline ? .good : .bad))"
        )
        if let detail = device["detail"]?.stringValue { terminal.line("  \(detail)") }
        for key in [
            "id", "vendor_id", "plugin", "kind", "manufacturer", "model", "model_id", "firmware", "home", "room",
            "since",
        ] {
            if let value = device[key] { terminal.line("  \(key.padded(13))\(JSON?(value).words)") }
        }
        let properties = device["properties"]?.objectValue ?? [:]
        guard !properties.isEmpty else { return }
        terminal.line()
        var rows = [["property", "value", "allowed", "access"]]
        for (name, property) in properties {
            rows.append([
                name, device["state"]?[name].words ?? "-", allowed(property),
                property["expert"] == true ? "expert" : property["access"].words,
            ])
        }
        terminal.table(rows)
        for kind in ["actions", "events"] {
            let names = device[kind]?.objectValue.map { Array($0.keys) } ?? []
            if !names.isEmpty { terminal.line("\n\(kind): \(names.joined(separator: ", "))") }
        }
    }

    static func state(_ state: JSON, _ terminal: Terminal) {
        for (key, value) in state.objectValue ?? [:] where key != "_meta" {
            terminal.line("\(key.padded(16))\(JSON?(value).words)")
        }
        terminal.line(terminal.paint("source          \(state["_meta"]?["source"].words ?? "-")", .faint))
    }

    static func written(_ answer: JSON, _ terminal: Terminal) {
        let stage = answer["stage"].words
        let elapsed = answer["elapsed_ms"]?.intValue ?? 0
        terminal.line(
            "\(terminal.paint(stage, stage == "confirmed" ? .good : .warning)) \(answer["applied"]?.text ?? "") \(terminal.paint("\(elapsed) ms", .faint))"
        )
    }

    static func history(_ data: JSON, _ terminal: Terminal) {
        var rows = [["at", "source", "outcome", "request"]]
        for command in data["commands"]?.arrayValue ?? [] {
            rows.append([
                command["at"].words, command["source"].words, command["outcome"].words, command["request"]?.text ?? "",
            ])
        }
        terminal.table(rows)
    }

    static func homes(_ data: JSON, _ terminal: Terminal) {
        var rows = [["home", "room", "name"]]
        for home in data["homes"]?.arrayValue ?? [] {
            rows.append([home["id"].words, "", home["name"].words])
            for room in home["rooms"]?.arrayValue ?? [] { rows.append(["", room["id"].words, room["name"].words]) }
        }
        terminal.table(rows)
    }

    static func plugins(_ data: JSON, _ terminal: Terminal) {
        var rows = [["plugin", "version", "state", "restarts", "devices", "detail"]]
        for plugin in data["plugins"]?.arrayValue ?? [] {
            rows.append([
                plugin["id"].words, plugin["version"].words, plugin["state"].words, plugin["restarts"].words,
                plugin["devices"].words, plugin["detail"]?.stringValue ?? plugin["last_error"]?.stringValue ?? "",
            ])
        }
        terminal.table(rows, tones: [2: { $0 == "running" ? .good : .bad }])
    }

    static func lines(_ data: JSON, _ terminal: Terminal) {
        for line in data["lines"]?.arrayValue ?? [] {
            terminal.line(
                "\(terminal.paint("\(line["at"].words) \(line["kind"].words)", .faint)) \(line["text"].words)"
            )
        }
    }

    private static func allowed(_ property: JSON) -> String {
        if let choices = property["enum"]?.arrayValue { return choices.map { JSON?($0).words }.joined(separator: "|") }
        if let low = property["minimum"], let high = property["maximum"] {
            return "\(JSON?(low).words)…\(JSON?(high).words)\(property["unit"]?.stringValue.map { " \($0)" } ?? "")"
        }
        if let members = property["properties"]?.objectValue { return "{\(members.keys.joined(separator: ", "))}" }
        return property["type"]?.stringValue ?? "any"
    }
}

extension JSON? {
    /// A value as a person reads it: strings without quotes, `-` for nothing.
    var words: String {
        switch self {
        case nil, .some(.null): "-"
        case .some(.string(let text)): text
        case .some(let value): value.text
        }
    }
}

extension String {
    func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
