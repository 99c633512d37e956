import HomeModel
import JSON

/// The questions of a form, one after the other.
struct FormDialogue: Equatable, Sendable {
    let form: InputForm
    /// What is answered so far.
    private(set) var answers: JSONObject
    /// The question that is asked now; nil where only a key is waited for.
    private(set) var question: FieldQuestion?
    /// Why the last text was no answer.
    private(set) var complaint: String?
    private var left: [InputField]

    /// - Parameter known: answers that are not asked for.
    init(_ form: InputForm, known: JSONObject = JSONObject()) {
        self.form = form
        answers = known
        left = form.fields.filter { known[$0.name] == nil }
        next()
    }

    /// Whether nothing is to be asked at all.
    var isComplete: Bool { question == nil && !form.fields.isEmpty }

    /// What to write before the cursor.
    var prompt: String { question?.prompt ?? "Press Enter to go on: " }

    /// Whether what is typed must not be seen.
    var isHidden: Bool { question?.field.kind == .password }

    /// Takes a line.
    ///
    /// - Returns: all answers when it was the last.
    mutating func enter(_ text: String) -> JSONObject? {
        complaint = nil
        guard let asked = question else { return answers }
        switch asked.read(text) {
        case .value(let value): answers[asked.field.name] = value
        case .omitted: break
        case .other:
            question?.isOther = true
            return nil
        case .wrong(let why):
            complaint = why
            return nil
        }
        next()
        return question == nil ? answers : nil
    }

    private mutating func next() {
        question = left.isEmpty ? nil : FieldQuestion(field: left.removeFirst())
    }
}
