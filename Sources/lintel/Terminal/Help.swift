/// The pages of `lintel help`.
enum Help {
    static func overview(_ table: [Verb]) -> String {
        let width = table.map(\.usage.count).max() ?? 0
        var lines = [
            "lintel: a home-hub gateway that brings vendors' devices to MQTT.", "", "usage: lintel <verb> [options]",
            "",
        ]
        for verb in table {
            lines.append("  \(verb.usage)\(String(repeating: " ", count: width - verb.usage.count + 2))\(verb.summary)")
        }
        lines += [
            "",
            "lintel help <verb> explains one. All but run, demo, config, version and help talk to the running gateway",
            "over MQTT, with the broker of the configuration; --json prints what programs like.",
            "Exit status: 0 done, 1 the gateway answered with an error, 2 wrong usage, 3 configuration, 4 not reachable,",
            "5 nothing was paired, 130 ended by Ctrl-C.",
        ]
        return lines.joined(separator: "\n")
    }

    static func page(_ verb: Verb) -> String {
        var lines = ["usage: lintel \(verb.usage)", "", verb.summary]
        if !verb.details.isEmpty { lines += ["", verb.details] }
        if !verb.options.isEmpty {
            lines += ["", "options:"]
            let names = verb.options.map { "--\($0.name)\($0.value.map { " \($0)" } ?? "")" }
            let width = names.map(\.count).max() ?? 0
            for (name, option) in zip(names, verb.options) {
                lines.append("  \(name)\(String(repeating: " ", count: width - name.count + 2))\(option.summary)")
            }
        }
        return lines.joined(separator: "\n")
    }
}
