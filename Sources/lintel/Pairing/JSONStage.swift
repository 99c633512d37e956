import EventLoop
import HomeModel
import JSON

/// A pairing for programs: each report is one line of JSON, and the last line says how it ended.
@Loop
final class JSONStage: PairingStage {
    private let terminal: Terminal
    private var report: SessionReport?
    private var notice: String?

    init(terminal: Terminal) { self.terminal = terminal }

    var canAsk: Bool { false }

    func show(_ report: SessionReport?, notice: String?) {
        if let report, report != self.report { terminal.line(Self.text(report.json)) }
        self.report = report
        if let notice, notice != self.notice { terminal.complain(Cells.clean(notice)) }
        self.notice = notice
    }

    func ask(_ form: InputForm, known: JSONObject, answer: @escaping @Loop (JSONObject?) -> Void) { answer(nil) }

    func stopAsking() {}

    func complain(_ message: String, hint: String?) {
        terminal.complain("lintel: \(Cells.clean(message))")
        if let hint { terminal.complain(hint) }
    }

    func finish(_ outcome: PairingOutcome) {
        terminal.line(Self.text(outcome.summary(report)))
    }

    /// JSON text without the control characters above ASCII, which JSON lets pass and some terminals obey.
    private static func text(_ json: JSON) -> String {
        var text = ""
        for scalar in json.text.unicodeScalars {
            if (0x7F..<0xA0).contains(scalar.value) {
                text += "\\u00" + String(scalar.value, radix: 16)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
