import HomeModel
import JSON

/// The secrets that a pairing session was given, to keep them out of what it says.
///
/// Held in memory only; prints as `<redacted>`.
struct SessionSecrets: Sendable, CustomStringConvertible, CustomReflectable {
    /// What stands for a secret.
    static let mark = "<redacted>"
    /// Shorter texts are replaced only where they stand alone: taken out of words they would leave nothing to read.
    private static let shortest = 4

    /// Bytes to replace, longest first.
    private var needles: [[UInt8]] = []
    private var words: Set<String> = []

    var description: String { Self.mark }
    var customMirror: Mirror { Mirror(self, children: []) }
    var isEmpty: Bool { words.isEmpty }
    /// The secrets in clear, for a session that tries again.
    var exposed: [String] { Array(words) }

    /// Learns a secret.
    mutating func learn(_ secret: String) {
        guard !secret.isEmpty, words.insert(secret).inserted, secret.utf8.count >= Self.shortest else { return }
        needles.append(Array(secret.utf8))
        // As it stands in a JSON text, such as a vendor's answer that a plugin quotes.
        let escaped = Array(JSON.string(secret).serialized().dropFirst().dropLast())
        if escaped != needles.last { needles.append(escaped) }
        needles.sort { $0.count > $1.count }
    }

    /// Learns the secrets among the members of an input: what a form hides, and what is called like a secret.
    mutating func learn(_ input: JSONObject, form: InputForm?) {
        for (name, value) in input {
            let field = form?.fields.first { $0.name == name }
            let isHidden = field?.kind == .password || Self.isSecretName(name)
            learn(value, isHidden: isHidden)
        }
    }

    private mutating func learn(_ value: JSON, isHidden: Bool) {
        switch value {
        case .string(let text): if isHidden { learn(text) }
        case .integer(let number): if isHidden { learn("\(number)") }
        case .array(let items): for item in items { learn(item, isHidden: isHidden) }
        case .object(let object):
            for (name, member) in object { learn(member, isHidden: isHidden || Self.isSecretName(name)) }
        case .null, .bool, .unsigned, .double: break
        }
    }

    private static func isSecretName(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["passw", "passphrase", "secret", "token", "pin", "psk", "key", "verification"].contains {
            name.contains($0)
        }
    }

    /// Forgets all.
    mutating func forget() { self = SessionSecrets() }

    // MARK: Taking secrets out

    /// A text without the secrets.
    func redacted(_ text: String) -> String {
        if words.isEmpty { return text }
        if words.contains(text) { return Self.mark }
        var bytes = Array(text.utf8)
        var isChanged = false
        for needle in needles {
            while let start = Self.find(needle, in: bytes) {
                bytes.replaceSubrange(start..<(start + needle.count), with: Self.mark.utf8)
                isChanged = true
                // A secret that is a part of the mark would be found for ever.
                if Self.find(needle, in: Array(Self.mark.utf8)) != nil { return Self.mark }
            }
        }
        return isChanged ? String(decoding: bytes, as: UTF8.self) : text
    }

    /// A value without the secrets, in keys and numbers, too.
    func redacted(_ value: JSON) -> JSON {
        if words.isEmpty { return value }
        switch value {
        case .string(let text): return .string(redacted(text))
        case .array(let items): return .array(items.map { redacted($0) })
        case .object(let object): return .object(redacted(object))
        case .integer, .unsigned, .double: return words.contains(value.text) ? .string(Self.mark) : value
        case .null, .bool: return value
        }
    }

    func redacted(_ object: JSONObject) -> JSONObject {
        var clean = JSONObject(reservingCapacity: object.count)
        for (key, value) in object { clean[redacted(key)] = redacted(value) }
        return clean
    }

    func redacted(_ failure: PairingFailure) -> PairingFailure {
        PairingFailure(
            PairingCode(rawValue: redacted(failure.code.rawValue)),
            redacted(failure.message),
            hint: failure.hint.map { redacted($0) },
            vendorCode: failure.vendorCode.map { redacted($0) },
            step: failure.step.map { redacted($0) },
            retryFrom: failure.retryFrom.map { redacted($0) }
        )
    }

    func redacted(_ error: CommandError) -> CommandError {
        CommandError(
            error.code,
            redacted(error.message),
            hint: error.hint.map { redacted($0) },
            vendorCode: error.vendorCode.map { redacted($0) },
            retryAfterMs: error.retryAfterMs,
            details: redacted(error.details)
        )
    }

    /// A question without the secrets; the names of its fields stay, since they are what is answered with.
    func redacted(_ form: InputForm) -> InputForm {
        if words.isEmpty { return form }
        var clean = form
        clean.title = redacted(form.title)
        clean.why = form.why.map { redacted($0) }
        clean.error = form.error.map { redacted($0) }
        for index in form.fields.indices {
            let field = form.fields[index]
            clean.fields[index].title = redacted(field.title)
            clean.fields[index].hint = field.hint.map { redacted($0) }
            clean.fields[index].fallback = field.fallback.map { redacted($0) }
            clean.fields[index].choices = field.choices.map {
                InputField.Choice(redacted($0.value), title: redacted($0.title))
            }
        }
        return clean
    }

    private static func find(_ needle: [UInt8], in bytes: [UInt8]) -> Int? {
        guard let first = needle.first, needle.count <= bytes.count else { return nil }
        for start in 0...(bytes.count - needle.count)
        where bytes[start] == first && bytes[start..<(start + needle.count)].elementsEqual(needle) { return start }
        return nil
    }
}
