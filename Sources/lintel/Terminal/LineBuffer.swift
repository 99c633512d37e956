/// A line that somebody types, key by key.
struct LineBuffer: Equatable, Sendable {
    /// What a key led to.
    enum Step: Equatable, Sendable {
        case changed
        /// The line is finished; the buffer is empty again.
        case entered(String)
        /// Ctrl-D on an empty line: there is nothing more to say.
        case ended
    }

    /// What is typed so far.
    private(set) var text = ""
    /// The start of a character whose other bytes are not here yet.
    private var partial: [UInt8] = []
    private var escape = Escape.none
    /// More than any answer has; what is typed beyond it is left out.
    static let limit = 4096

    private enum Escape { case none, started, sequence }

    init() {}

    /// Takes bytes in the order in which they come; what comes after a finished line is returned in further steps.
    mutating func type(_ bytes: [UInt8]) -> [Step] {
        var steps: [Step] = []
        for byte in bytes { if let step = type(byte) { steps.append(step) } }
        return steps
    }

    /// Empties it, as for the next question.
    mutating func clear() { self = LineBuffer() }

    private mutating func type(_ byte: UInt8) -> Step? {
        guard !isEscape(byte) else { return nil }
        switch byte {
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
            defer { clear() }
            return .entered(text)
        case 0x04: return text.isEmpty ? .ended : nil
        case 0x08, 0x7F: if !text.isEmpty { text.removeLast() }
        case 0x15: text = ""
        case 0x17: eraseWord()
        case 0x1B: escape = .started
        case 0..<0x20: return nil
        default: add(byte)
        }
        return .changed
    }

    private mutating func eraseWord() {
        while text.last == " " { text.removeLast() }
        while let last = text.last, last != " " { text.removeLast() }
    }

    /// Arrow keys and their like are sequences, of which nothing is meant for the text.
    private mutating func isEscape(_ byte: UInt8) -> Bool {
        switch escape {
        case .none: return false
        case .started:
            escape = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") ? .sequence : .none
            return true
        case .sequence:
            if (0x40...0x7E).contains(byte) { escape = .none }
            return true
        }
    }

    private mutating func add(_ byte: UInt8) {
        partial.append(byte)
        if let whole = String(validating: partial, as: UTF8.self) {
            if text.utf8.count + partial.count <= Self.limit { text += whole }
            partial = []
        } else if partial.count >= 4 || (byte < 0x80 && partial.count > 1) {
            partial = []
        }
    }
}
