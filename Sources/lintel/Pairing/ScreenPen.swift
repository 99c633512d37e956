/// Draws the parts of a pairing's screen, each line no wider than the terminal.
struct ScreenPen: Sendable {
    let columns: Int
    let glyphs: Glyphs
    let frame: Int
    let paint: PairingScreen.Paint

    /// A text in as many lines as it needs.
    func text(_ text: String, _ tone: Terminal.Tone?) -> [String] {
        Cells.lines(text).flatMap { Cells.wrap($0, columns) }.map { line in tone.map { paint(line, $0) } ?? line }
    }

    /// A choice with its number.
    func choice(_ number: Int, _ title: String, width: Int) -> String {
        let digits = "\(number)"
        let head = "  \(String(repeating: " ", count: max(0, width - digits.count)))\(digits)  "
        return Cells.fit(head + Cells.clean(title), columns)
    }

    /// The steps with their marks; where there is no room for all, those around the present one.
    func steps(_ steps: [SessionReport.Step], current: String?, room: Int) -> [String] {
        guard steps.count > room else { return steps.map(step) }
        let present =
            steps.firstIndex { [.running, .failed, .cancelled].contains($0.mark) }
            ?? steps.firstIndex { $0.id == current } ?? steps.lastIndex { $0.mark == .done } ?? 0
        guard room >= 3 else { return steps[present...].prefix(1).map(step) }
        let shown = room - 2
        let first = min(max(0, present - shown / 2), steps.count - shown)
        let before = first
        let after = steps.count - first - shown
        var lines = steps[first..<first + shown].map(step)
        if before > 0 { lines.insert(paint("  … \(before) before", .faint), at: 0) }
        if after > 0 { lines.append(paint("  … \(after) more", .faint)) }
        return lines
    }

    private func step(_ step: SessionReport.Step) -> String {
        let indent = columns < 20 ? "" : "  "
        let title = Cells.fit(PairingWords.title(ofStep: step.id), max(1, columns - 2 - indent.count))
        switch step.mark {
        case .done: return "\(indent)\(paint(glyphs.done, .good)) \(title)"
        case .failed: return "\(indent)\(paint(glyphs.failed, .bad)) \(paint(title, .bad))"
        case .running:
            return "\(indent)\(paint(glyphs.running[frame % glyphs.running.count], .warning)) \(paint(title, .strong))"
        case .cancelled: return "\(indent)\(paint(glyphs.failed, .warning)) \(title)"
        case .todo: return "\(indent)\(paint(glyphs.todo, .faint)) \(paint(title, .faint))"
        }
    }

    /// How far it is and how much time is left; nil where neither is known.
    func bar(percent: Int?, left: Int64?) -> String? {
        var parts: [String] = []
        if let percent {
            let length = min(30, max(0, columns - 20))
            if length >= 5 {
                let full = percent * length / 100
                parts.append(
                    String(repeating: glyphs.full, count: full) + String(repeating: glyphs.empty, count: length - full)
                )
            }
            parts.append("\(percent) %")
        }
        if let left { parts.append("\(PairingWords.time(left)) left") }
        return parts.isEmpty ? nil : Cells.fit("  " + parts.joined(separator: "  "), columns)
    }

    /// The line that is typed on, and the cells before the cursor.
    func prompt(_ prompt: String, typed: String, isHidden: Bool) -> (line: String, cursor: Int) {
        let visible = isHidden ? String(repeating: glyphs.hidden, count: typed.count) : Cells.clean(typed)
        // At least a third of the line is for what is typed.
        let head = Cells.width(prompt) > columns * 2 / 3 ? Cells.fit(prompt, max(2, columns * 2 / 3)) : prompt
        let tail = Cells.fitEnd(visible, max(1, columns - Cells.width(head)))
        return (head + tail, Cells.width(head) + Cells.width(tail))
    }
}
