import HomeModel
import JSON

/// What a typed text means for a field.
struct FieldQuestion: Equatable, Sendable {
    /// What a text is.
    enum Reading: Equatable, Sendable {
        case value(JSON)
        /// Nothing, where nothing is allowed.
        case omitted
        /// The wish to type a value that is not in the list.
        case other
        /// Not an answer; one sentence why.
        case wrong(String)
    }

    let field: InputField
    /// Whether the list is put aside and a text is taken as it is.
    var isOther = false

    /// Whether a list is shown.
    var offersChoices: Bool { !field.choices.isEmpty && !isOther }

    /// The question itself, with what may be typed.
    var prompt: String {
        let title = Cells.clean(field.title)
        switch field.kind {
        case _ where offersChoices: return "\(title) (number or name)\(standard): "
        case .flag: return "\(title) (y/n)\(standard): "
        default: return "\(title)\(field.isRequired || field.fallback != nil ? standard : " (may be left empty)"): "
        }
    }

    private var standard: String {
        guard let fallback = field.fallback, field.kind != .password else { return "" }
        switch fallback {
        case .bool(let flag): return " [\(flag ? "y" : "n")]"
        case .string(let text): return " [\(Cells.clean(field.choices.first { $0.value == text }?.title ?? text))]"
        default: return " [\(Cells.clean(fallback.text))]"
        }
    }

    /// Reads what a person typed.
    func read(_ text: String) -> Reading {
        let trimmed = field.kind == .password ? text : Self.trimmed(text)
        if trimmed.isEmpty { return nothing }
        if offersChoices { return choice(trimmed) }
        return value(trimmed)
    }

    /// Reads what a script says: a choice by its value, then by its title, then by its number.
    func readGiven(_ text: String) -> Reading {
        guard !field.choices.isEmpty else { return text.isEmpty ? nothing : value(text) }
        if let named = field.choices.first(where: { $0.value == text })
            ?? field.choices.first(where: { $0.title == text })
        {
            return .value(.string(named.value))
        }
        if field.allowsOther { return value(text) }
        if let number = Int(text), field.choices.indices.contains(number - 1) {
            return .value(.string(field.choices[number - 1].value))
        }
        let known = field.choices.prefix(20).map { Cells.clean($0.value) }.joined(separator: ", ")
        return .wrong("It must be one of: \(known).")
    }

    private var nothing: Reading {
        if let fallback = field.fallback { return .value(fallback) }
        if !field.isRequired { return .omitted }
        if field.kind == .text || field.kind == .password, field.choices.isEmpty || isOther,
            field.range?.contains(0) == true
        {
            return .value("")
        }
        return .wrong("This must be answered.")
    }

    private func choice(_ text: String) -> Reading {
        let count = field.choices.count
        if let number = Int(text), number >= 1, number <= count + (field.allowsOther ? 1 : 0) {
            return number > count ? .other : .value(.string(field.choices[number - 1].value))
        }
        let wanted = text.lowercased()
        let same = field.choices.filter { $0.value == text || $0.title == text }
        if let only = same.first { return .value(.string(only.value)) }
        let alike = field.choices.filter { $0.value.lowercased() == wanted || $0.title.lowercased() == wanted }
        if alike.count == 1 { return .value(.string(alike[0].value)) }
        if field.allowsOther { return value(text) }
        let found = matching(text)
        if found.count == 1 { return .value(.string(field.choices[found[0]].value)) }
        return .wrong(found.isEmpty ? "There is no such choice." : "That could be \(found.count) of them.")
    }

    /// The choices that a text may mean, by their place in the list; all for an empty text.
    func matching(_ text: String) -> [Int] {
        let wanted = Self.trimmed(text).lowercased()
        return field.choices.indices.filter { index in
            wanted.isEmpty || "\(index + 1)".hasPrefix(wanted)
                || field.choices[index].title.lowercased().contains(wanted)
        }
    }

    private func value(_ text: String) -> Reading {
        switch field.kind {
        case .flag:
            switch text.lowercased() {
            case "y", "yes", "true", "on", "1": return .value(true)
            case "n", "no", "false", "off", "0": return .value(false)
            default: return .wrong("Answer with y or n.")
            }
        case .number:
            guard let number = Int64(text) else { return .wrong("It must be a whole number.") }
            if let range = field.range, !range.contains(Int(number)) {
                return .wrong("It must be from \(range.lowerBound) to \(range.upperBound).")
            }
            return .value(.integer(number))
        case .text, .password:
            if let range = field.range, !range.contains(text.utf8.count) {
                return .wrong("It must have \(range.lowerBound) to \(range.upperBound) bytes, not \(text.utf8.count).")
            }
            if let pattern = field.pattern, !Self.matches(text, pattern) {
                return .wrong(
                    field.hint.map { "That is not of the right form: \(Cells.clean($0))" }
                        ?? "It must match \(pattern)."
                )
            }
            return .value(.string(text))
        }
    }

    /// Whether a text holds what a pattern describes, as in JSON Schema; a pattern that cannot be read is passed over.
    private static func matches(_ text: String, _ pattern: String) -> Bool {
        // Long texts and patterns could be tried for hours; the gateway has the last word anyway.
        guard pattern.utf8.count <= 200, text.utf8.count <= 256, let regex = try? Regex(pattern) else { return true }
        return text.firstMatch(of: regex) != nil
    }

    private static func trimmed(_ text: String) -> String {
        var text = text[...]
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
