import EventLoop
import Glibc
import HomeModel
import JSON

/// A pairing in lines that are added one below the other.
@Loop
final class PlainStage: PairingStage {
    private let terminal: Terminal
    private let keyboard: Keyboard?
    private var narrator: PairingNarrator
    private var notice: String?
    private var dialogue: FormDialogue?
    private var buffer = LineBuffer()
    private var answer: (@Loop (JSONObject?) -> Void)?

    /// - Parameter keyboard: nil where nobody can be asked.
    init(_ title: String, terminal: Terminal, keyboard: Keyboard?, glyphs: Glyphs) {
        self.terminal = terminal
        self.keyboard = keyboard
        narrator = PairingNarrator(glyphs: glyphs)
        keyboard?.onBytes = { [weak self] in self?.typed($0) }
        keyboard?.onEnd = { [weak self] in self?.end(nil) }
        keyboard?.change(to: .lines(isHidden: true))
        terminal.line(terminal.paint(title, .strong))
    }

    var canAsk: Bool { keyboard != nil }

    func show(_ report: SessionReport?, notice: String?) {
        if let report { tell(narrator.lines(report)) }
        if let notice, notice != self.notice { tell([(notice, .warning)]) }
        self.notice = notice
    }

    func ask(_ form: InputForm, known: JSONObject, answer: @escaping @Loop (JSONObject?) -> Void) {
        let dialogue = FormDialogue(form, known: known)
        self.dialogue = dialogue
        self.answer = answer
        buffer.clear()
        tell([("? \(Cells.clean(form.title))", .strong)])
        if let why = form.why { tell(Cells.lines(why).map { ($0, nil) }) }
        if let error = form.error { tell(PairingWords.failure(error)) }
        prompt()
    }

    func stopAsking() {
        if dialogue != nil { terminal.line() }
        dialogue = nil
        answer = nil
        keyboard?.change(to: .lines(isHidden: true))
    }

    func complain(_ message: String, hint: String?) {
        terminal.complain(terminal.paint(Cells.clean(message), .bad))
        if let hint { terminal.complain(hint) }
    }

    func finish(_ outcome: PairingOutcome) { keyboard?.change(to: .original) }

    private func tell(_ lines: [(text: String, tone: Terminal.Tone?)]) {
        for (text, tone) in lines { terminal.line(tone.map { terminal.paint(text, $0) } ?? text) }
    }

    private func prompt() {
        guard let dialogue else { return }
        if let complaint = dialogue.complaint { tell([(complaint, .bad)]) }
        if let question = dialogue.question, question.offersChoices {
            for (index, choice) in question.field.choices.enumerated() {
                terminal.line("  \(index + 1)  \(Cells.clean(choice.title))")
            }
            if question.field.allowsOther { terminal.line("  \(question.field.choices.count + 1)  another one") }
        }
        keyboard?.change(to: .lines(isHidden: dialogue.isHidden))
        terminal.put(dialogue.prompt)
    }

    private func typed(_ bytes: [UInt8]) {
        guard dialogue != nil else { return }
        // The end of the input is an empty read, which the keyboard tells by itself.
        for step in buffer.type(bytes) {
            guard case .entered(let text) = step else { continue }
            if let answers = dialogue?.enter(text) {
                dialogue = nil
                return end(answers)
            }
            prompt()
        }
    }

    private func end(_ answers: JSONObject?) {
        let answer = answer
        stopAsking()
        answer?(answers)
    }
}
