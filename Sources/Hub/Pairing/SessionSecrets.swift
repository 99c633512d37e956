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
    /// No code and no step's id is longer.
    private static let longestID = 40

    /// Bytes to replace, longest first.
    private var needles: [[UInt8]] = []
    private var words: Set<String> = []
    /// Whether a secret is a part of the mark.
    private var marksTell = false

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
        if Self.mark.contains(secret) { marksTell = true }
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
        let bytes = Array(text.utf8)
        var clean: [UInt8] = []
        var (place, copied) = (0, 0)
        // One pass: a plugin may send a megabyte in which every byte begins a secret.
        while place < bytes.count {
            guard var end = longest(in: bytes, at: place) else {
                place += 1
                continue
            }
            clean += bytes[copied..<place]
            clean += Self.mark.utf8
            // A secret that begins within this one goes with it.
            while place < end {
                end = max(end, longest(in: bytes, at: place) ?? end)
                place += 1
            }
            copied = end
        }
        if copied == 0 { return text }
        // A secret that is a part of the mark would stand in it.
        if marksTell { return Self.mark }
        return String(decoding: clean + bytes[copied...], as: UTF8.self)
    }

    /// Where the longest secret ends that begins at a place; nil where none does.
    private func longest(in bytes: [UInt8], at place: Int) -> Int? {
        for needle in needles where needle[0] == bytes[place] && bytes[place...].starts(with: needle) {
            return place + needle.count
        }
        return nil
    }

    /// A code, the id of a step or a key: a word that programs compare, and that would tell a secret that is part of it
    /// by what is left of it.
    func redacted(id: String) -> String {
        let isWord = id.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
            default: false
            }
        }
        // Digits alone are nobody's word, and may be a printed code.
        let begins = id.utf8.first.map { $0 >= UInt8(ascii: "a") } ?? false
        return isWord && begins && id.utf8.count <= Self.longestID ? id : redacted(id)
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
        for (key, value) in object { clean[redacted(id: key)] = redacted(value) }
        return clean
    }

    func redacted(_ failure: PairingFailure) -> PairingFailure {
        PairingFailure(
            PairingCode(rawValue: redacted(id: failure.code.rawValue)),
            redacted(failure.message),
            hint: failure.hint.map { redacted($0) },
            vendorCode: failure.vendorCode.map { redacted($0) },
            step: failure.step.map { redacted(id: $0) },
            retryFrom: failure.retryFrom.map { redacted(id: $0) }
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

    /// A question without the secrets.
    ///
    /// Names of fields stay, since they are what is answered with, and so do choices beside which others may be given: they
    /// are seen from outside, such as a network that is called like its password. A default that holds a secret is left out: it counts all the same where nothing is answered.
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
            if let fallback = field.fallback, redacted(fallback) != fallback {
                clean.fields[index].fallback = nil
                clean.fields[index].isRequired = false
            }
            clean.fields[index].choices = field.choices.map {
                let value = field.allowsOther ? $0.value : redacted($0.value)
                return InputField.Choice(value, title: $0.title == $0.value ? value : redacted($0.title))
            }
        }
        return clean
    }
}
