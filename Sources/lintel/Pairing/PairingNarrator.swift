/// Tells a session in lines that are added one below the other, for pipes, files and terminals that cannot redraw.
struct PairingNarrator: Sendable {
    private var marks: [String: SessionReport.Mark] = [:]
    private var message: String?
    private var hasEnded = false
    private let glyphs: Glyphs

    init(glyphs: Glyphs) { self.glyphs = glyphs }

    /// What is new in a report.
    mutating func lines(_ report: SessionReport) -> [(text: String, tone: Terminal.Tone?)] {
        guard !hasEnded else { return [] }
        var lines: [(text: String, tone: Terminal.Tone?)] = []
        for step in report.steps where marks[step.id] != step.mark {
            marks[step.id] = step.mark
            let title = PairingWords.title(ofStep: step.id)
            switch step.mark {
            case .running: lines.append(("\(glyphs.todo) \(title)", nil))
            case .done: lines.append(("\(glyphs.done) \(title)", .good))
            case .failed: lines.append(("\(glyphs.failed) \(title)", .bad))
            case .todo, .cancelled: break
            }
        }
        if let new = report.message, new != message, report.state != .failed {
            message = new
            lines += Cells.lines(new).map { ("  \($0)", nil) }
        }
        lines += PairingWords.ending(report)
        hasEnded = report.state.isFinal
        return lines
    }
}
