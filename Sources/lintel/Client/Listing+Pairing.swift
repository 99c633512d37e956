import HomeModel
import JSON

extension Listing {
    static func methods(_ data: JSON, _ terminal: Terminal) {
        let choices = MethodChoice.list(data)
        guard !choices.isEmpty else { return terminal.line("No plugin pairs devices.") }
        var rows = [["plugin", "method", "needs", "what it is"]]
        for choice in choices {
            let method = choice.method
            let what = [method.title, method.description].compactMap { $0 }.joined(separator: " — ")
            let needs = method.needs.isEmpty ? "-" : method.needs.joined(separator: ", ")
            rows.append([choice.plugin, method.id, needs, what].map(Cells.clean))
        }
        terminal.table(rows)
    }

    static func sessions(_ data: JSON, _ terminal: Terminal) {
        if let report = SessionReport(data) ?? data["session"].flatMap(SessionReport.init) {
            return session(report, terminal)
        }
        let reports = (data["sessions"]?.arrayValue ?? []).compactMap(SessionReport.init)
        guard !reports.isEmpty else { return terminal.line("No pairing is under way.") }
        var rows = [["session", "plugin", "method", "state", "step"]]
        for report in reports {
            rows.append(
                [
                    report.session, report.plugin ?? "-", report.method ?? "-", report.state.rawValue,
                    report.step.map(PairingWords.title) ?? "-",
                ].map(Cells.clean)
            )
        }
        terminal.table(rows, tones: [3: { tone($0) }])
    }

    private static func session(_ report: SessionReport, _ terminal: Terminal) {
        let state = terminal.paint(report.state.rawValue, tone(report.state.rawValue) ?? .strong)
        terminal.line("\(Cells.clean(report.session))  \(Cells.clean(report.plugin ?? "-"))  \(state)")
        var narrator = PairingNarrator(glyphs: Glyphs.suitable(for: ProcessEnvironment.all))
        for (text, tone) in narrator.lines(report) { terminal.line(tone.map { terminal.paint(text, $0) } ?? text) }
        if let question = report.question { terminal.line("? \(Cells.clean(question.title))") }
    }

    static func pairings(_ data: JSON, _ terminal: Terminal) {
        let list = (data["sessions"] ?? data["history"] ?? data["pairings"])?.arrayValue ?? data.arrayValue ?? []
        guard !list.isEmpty else { return terminal.line("Nothing was paired yet.") }
        var rows = [["at", "session", "plugin", "method", "state", "what came of it"]]
        for entry in list {
            let devices = (entry["devices"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: ", ")
            let error = entry["error"]?["message"]?.stringValue ?? entry["error"]?["code"]?.stringValue
            rows.append(
                [
                    (entry["ended"] ?? entry["ended_at"] ?? entry["at"] ?? entry["started"] ?? entry["started_at"])
                        .words,
                    entry["session"].words, entry["plugin"].words, entry["method"].words, entry["state"].words,
                    error ?? (devices.isEmpty ? "-" : devices),
                ].map(Cells.clean)
            )
        }
        terminal.table(rows, tones: [4: { tone($0) }])
    }

    static func radio(_ data: JSON, _ terminal: Terminal) {
        if let way = data["way"]?.stringValue { terminal.line("way  \(Cells.clean(way))") }
        for finding in data["findings"]?.arrayValue ?? data.arrayValue ?? [] {
            let level = finding["level"].words
            let tone: Terminal.Tone = level == "ok" ? .good : level == "warning" ? .warning : .bad
            terminal.line("\(terminal.paint(level.padded(8), tone)) \(Cells.clean(finding["message"].words))")
            if let hint = finding["hint"]?.stringValue {
                terminal.line("         \(terminal.paint(Cells.clean(hint), .faint))")
            }
        }
    }

    static func networks(_ data: JSON, _ terminal: Terminal) {
        let list = data["networks"]?.arrayValue ?? data.arrayValue ?? []
        guard !list.isEmpty else { return terminal.line("No networks are seen.") }
        var rows = [["signal", "band", "secured", "network"]]
        for network in list {
            let band = network["frequency"]?.intValue.map { $0 < 3000 ? "2.4 GHz" : $0 < 5900 ? "5 GHz" : "6 GHz" }
            rows.append([
                network["signal"]?.intValue.map { "\($0) dBm" } ?? "-", band ?? "-",
                network["secured"] == true ? "yes" : "no",
                // Anybody may give a network any name.
                Cells.clean(network["ssid"].words),
            ])
        }
        terminal.table(rows)
    }

    private static func tone(_ state: String) -> Terminal.Tone? {
        switch state {
        case "succeeded": .good
        case "failed", "expired": .bad
        case "needs_input", "cancelled": .warning
        default: nil
        }
    }
}
