import HomeModel
import JSON

/// All of a pairing that one screen shows, as lines.
struct PairingScreen: Sendable {
    /// A screen's lines, and where the cursor stands on the last.
    struct Picture: Equatable, Sendable {
        var lines: [String]
        var cursor: Int?
    }

    /// What stands on top.
    var title: String
    var report: SessionReport?
    /// The questions under way.
    var dialogue: FormDialogue?
    /// What is typed so far.
    var typed = ""
    /// What is the matter around the session: no broker, no gateway, on the way to the end.
    var notice: String?
    /// What to do next, after the end.
    var advice: [String] = []

    /// Draws it.
    ///
    /// - Parameters:
    ///   - frame: counts up, and turns the spinner.
    ///   - now: for the time that is left.
    func picture(size: ScreenSize, glyphs: Glyphs, frame: Int, now: Timestamp, paint: @escaping Paint) -> Picture {
        let pen = ScreenPen(columns: max(4, size.columns - 1), glyphs: glyphs, frame: frame, paint: paint)
        let head = pen.text(title, .strong)
        let status = statusLines(pen, now)
        let (question, prompt) = questionLines(pen)
        let room = max(1, size.rows - 1 - head.count - status.count - question.count - (prompt == nil ? 0 : 1))
        let choices = choiceCount
        let stepRoom = choices > 0 ? max(1, room - min(choices, max(3, room - 1))) : room
        let steps = pen.steps(report?.steps ?? [], current: report?.step, room: stepRoom)
        let list = choiceLines(pen, room: max(1, room - steps.count))
        var lines = head + steps + status + question + list
        var cursor: Int?
        if let prompt {
            let (line, width) = pen.prompt(prompt, typed: typed, isHidden: dialogue?.isHidden == true)
            lines.append(line)
            cursor = width
        }
        // What does not fit is left out above: below is what happens now.
        return Picture(lines: Array(lines.suffix(max(1, size.rows - 1))), cursor: cursor)
    }

    /// Colours a text.
    typealias Paint = @Sendable (String, Terminal.Tone) -> String

    private func statusLines(_ pen: ScreenPen, _ now: Timestamp) -> [String] {
        guard let report else { return notice.map { pen.text($0, .warning) } ?? [] }
        var lines: [String] = []
        if !report.state.isFinal {
            let left = report.deadline.map { ($0.milliseconds - now.milliseconds + 999) / 1000 }
            if let bar = pen.bar(percent: report.percent, left: left.flatMap { (0..<86_400).contains($0) ? $0 : nil }) {
                lines.append(bar)
            }
        }
        let isSaid = dialogue.map { [$0.form.title, $0.form.why, $0.form.error?.message].contains(report.message) }
        if let message = report.message, report.state != .failed, isSaid != true { lines += pen.text(message, nil) }
        for (text, tone) in PairingWords.ending(report) { lines += pen.text(text, tone) }
        for text in advice { lines += pen.text(text, nil) }
        if let notice { lines += pen.text(notice, .warning) }
        return lines
    }

    private func questionLines(_ pen: ScreenPen) -> (lines: [String], prompt: String?) {
        guard let dialogue else { return ([], nil) }
        var lines = pen.text("? \(dialogue.form.title)", .strong)
        if let why = dialogue.form.why, why != dialogue.form.error?.message { lines += pen.text(why, nil) }
        if let error = dialogue.form.error {
            for (text, tone) in PairingWords.failure(error) { lines += pen.text(text, tone) }
        }
        if let hint = dialogue.question?.field.hint { lines += pen.text(hint, .faint) }
        if let complaint = dialogue.complaint { lines += pen.text(complaint, .bad) }
        return (lines, dialogue.prompt)
    }

    private var choiceCount: Int {
        guard let question = dialogue?.question, question.offersChoices else { return 0 }
        return question.field.choices.count + (question.field.allowsOther ? 1 : 0)
    }

    private func choiceLines(_ pen: ScreenPen, room: Int) -> [String] {
        guard let question = dialogue?.question, question.offersChoices else { return [] }
        var found = question.matching(typed)
        if found.isEmpty { found = Array(question.field.choices.indices) }
        let width = "\(question.field.choices.count + 1)".count
        var lines = found.map { index in
            pen.choice(index + 1, question.field.choices[index].title, width: width)
        }
        if question.field.allowsOther {
            lines.append(pen.choice(question.field.choices.count + 1, "another one", width: width))
        }
        guard lines.count > room else { return lines }
        // The last line stays: "another one" must be seen to be chosen.
        let tail = question.field.allowsOther ? lines.suffix(1) : []
        let shown = max(0, room - 1 - tail.count)
        let more = pen.text("  … \(lines.count - shown - tail.count) more: type a part of the name", .faint)
        return lines.prefix(shown) + more.prefix(1) + tail
    }
}
