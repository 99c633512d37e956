package import HomeModel
package import JSON

/// Takes secrets out of what is shown of a plugin: its frames, its log text, its words.
///
/// A secret is what stands under a key that names one, and every value that is known to be one, wherever it stands.
package struct Redactor: Sendable {
    private let keys: SecretKeys
    /// Also what forms of pairing hide, for frames that are about pairing: elsewhere such a key may be innocent.
    private var pairingKeys: SecretKeys
    private var matcher = SecretMatcher()

    /// Makes a redactor that knows no values yet.
    ///
    /// - Parameter keys: keys that the plugin's manifest declares to be secret.
    package init(keys: [String] = []) {
        self.keys = SecretKeys(declared: keys)
        pairingKeys = self.keys
    }

    // MARK: Learning

    /// Remembers the values of secrets.
    package mutating func learn(_ secrets: Secrets) {
        for value in secrets.exposed.values { matcher.learn(value) }
    }

    /// Remembers what stands under secret keys, at any depth.
    package mutating func learn(from json: JSON) {
        switch json {
        case .object(let members):
            for (key, value) in members {
                if keys.contains(key) { learn(all: value) } else { learn(from: value) }
            }
        case .array(let elements):
            for element in elements { learn(from: element) }
        default: break
        }
    }

    /// Remembers keys of pairing input whose values must not be shown, however short they are.
    package mutating func learn(inputKeys: [String]) { pairingKeys.add(inputKeys) }

    private mutating func learn(all json: JSON) {
        switch json {
        case .string(let text): matcher.learn(text)
        case .object(let members): for (_, value) in members { learn(all: value) }
        case .array(let elements): for element in elements { learn(all: element) }
        case .integer, .unsigned: matcher.learn(json.text)
        default: break
        }
    }

    // MARK: Redacting

    /// Text without known secrets, and without what follows a secret key as in `password=…` or `"token": …`.
    package func redacted(text: String) -> String {
        let known = matcher.redacted(Array(text.utf8))
        return String(decoding: hideAssignments(in: known), as: UTF8.self)
    }

    /// Text without known secrets alone, for words that a person reads.
    package func redacted(words: String) -> String {
        String(decoding: matcher.redacted(Array(words.utf8)), as: UTF8.self)
    }

    /// A value without what stands under secret keys, and without known secrets.
    package func redacted(_ json: JSON) -> JSON {
        switch json {
        case .string(let text): return .string(redacted(words: text))
        case .array(let elements): return .array(elements.map(redacted))
        case .object(let members):
            return .object(
                JSONObject(members.map { ($0.key, keys.contains($0.key) ? "<redacted>" : redacted($0.value)) })
            )
        default: return json
        }
    }

    /// A line of the plugin wire without secrets; need not be valid JSON.
    ///
    /// - Parameter isCut: whether only the beginning of the line was kept.
    package func redacted(frame: [UInt8], isCut: Bool) -> String {
        let isPairing = FrameScan.mentions("pairing", in: frame)
        var scan = FrameScan(bytes: frame, isCut: isCut, keys: isPairing ? pairingKeys : keys, matcher: matcher)
        return String(decoding: matcher.redacted(scan.run(), isCut: isCut), as: UTF8.self)
    }

    /// An error without secrets in its words.
    package func redacted(_ error: CommandError) -> CommandError {
        var error = error
        error.message = redacted(text: error.message)
        error.hint = error.hint.map { redacted(text: $0) }
        if !error.details.isEmpty {
            let details = redacted(frame: JSON.object(error.details).serialized(), isCut: false)
            error.details = (try? JSON.parse(details))?.objectValue ?? JSONObject()
        }
        return error
    }

    /// Hides the word after `key=` or `key:`, where the key names a secret.
    private func hideAssignments(in text: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(text.count)
        var place = 0
        while place < text.count {
            let start = place
            while place < text.count, Self.isWord(text[place]) { place += 1 }
            guard place > start else {
                out.append(text[place])
                place += 1
                continue
            }
            let word = text[start..<place]
            out.append(contentsOf: word)
            guard let value = Self.assigned(text, place), keys.contains(String(decoding: word, as: UTF8.self)) else {
                continue
            }
            out.append(contentsOf: text[place..<value.lowerBound])
            out.append(contentsOf: SecretMatcher.mark)
            place = value.upperBound
        }
        return out
    }

    /// The place of the value of an assignment whose key ends at `place`.
    private static func assigned(_ text: [UInt8], _ place: Int) -> Range<Int>? {
        var place = place
        if place < text.count, text[place] == UInt8(ascii: "\"") || text[place] == UInt8(ascii: "'") { place += 1 }
        while place < text.count, text[place] == UInt8(ascii: " ") { place += 1 }
        guard place < text.count, text[place] == UInt8(ascii: "=") || text[place] == UInt8(ascii: ":") else {
            return nil
        }
        place += 1
        while place < text.count, text[place] == UInt8(ascii: " ") { place += 1 }
        guard place < text.count else { return nil }
        let quote = text[place]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            let end = text[(place + 1)...].firstIndex(of: quote) ?? text.count
            return place + 1..<end
        }
        let end = text[place...].firstIndex {
            $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "}")
        }
        return place..<(end ?? text.count)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
