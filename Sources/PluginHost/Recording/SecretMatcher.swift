import JSON

/// Finds known secrets in text, whatever their number, in one pass.
struct SecretMatcher: Sendable {
    /// What stands in a secret's place.
    static let mark = Array("<redacted>".utf8)
    /// Shorter values would hit innocent text, such as a `1`; those are only hidden by their key.
    static let shortest = 4

    /// Secrets by their first four bytes, the longest first.
    private var secrets: [UInt32: [[UInt8]]] = [:]
    /// The first one to three bytes of every secret.
    private var beginnings: Set<[UInt8]> = []
    private var longest = 0

    /// Remembers a secret, also in the form in which JSON writes it, and each line of one that has several.
    mutating func learn(_ secret: String) {
        add(Array(secret.utf8))
        add(Array(JSON.string(secret).serialized().dropFirst().dropLast()))
        let lines = secret.split(whereSeparator: \.isNewline)
        if lines.count > 1 { for line in lines { add(Array(line.utf8)) } }
    }

    private mutating func add(_ secret: [UInt8]) {
        guard secret.count >= Self.shortest else { return }
        let head = Self.head(secret, 0)
        guard secrets[head]?.contains(secret) != true else { return }
        secrets[head, default: []].append(secret)
        secrets[head]?.sort { $0.count > $1.count }
        for count in 1..<Self.shortest { beginnings.insert(Array(secret.prefix(count))) }
        longest = max(longest, secret.count)
    }

    /// The text with a mark in the place of each secret.
    ///
    /// - Parameter isCut: whether the text was cut off, so that its end may be the beginning of a secret, which goes too.
    func redacted(_ text: [UInt8], isCut: Bool = false) -> [UInt8] {
        guard !secrets.isEmpty else { return text }
        var out: [UInt8] = []
        var plain = 0
        var place = 0
        while place + Self.shortest <= text.count {
            guard let length = match(text, at: place) else {
                place += 1
                continue
            }
            out.append(contentsOf: text[plain..<place])
            out.append(contentsOf: Self.mark)
            place += length
            plain = place
        }
        out.append(contentsOf: text[plain...])
        if isCut { out.removeLast(overhang(of: out)) }
        return out
    }

    /// Whether a text is, or holds, a secret.
    func isSecret(_ text: [UInt8]) -> Bool {
        guard text.count >= Self.shortest, !secrets.isEmpty else { return false }
        return (0...(text.count - Self.shortest)).contains { match(text, at: $0) != nil }
    }

    private func match(_ text: [UInt8], at place: Int) -> Int? {
        guard let candidates = secrets[Self.head(text, place)] else { return nil }
        return candidates.first { text[place...].starts(with: $0) }?.count
    }

    /// How many bytes at the end of a text are the beginning of a secret.
    private func overhang(of text: [UInt8]) -> Int {
        for count in stride(from: min(longest - 1, text.count), to: 0, by: -1) {
            let end = text.suffix(count)
            if count < Self.shortest {
                if beginnings.contains(Array(end)) { return count }
            } else if secrets[Self.head(text, end.startIndex)]?.contains(where: { $0.starts(with: end) }) == true {
                return count
            }
        }
        return 0
    }

    private static func head(_ text: [UInt8], _ place: Int) -> UInt32 {
        UInt32(text[place]) | UInt32(text[place + 1]) << 8 | UInt32(text[place + 2]) << 16
            | UInt32(text[place + 3]) << 24
    }
}
