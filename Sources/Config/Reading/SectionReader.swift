internal import JSON
internal import Log

/// Reads the keys of one group; what is wrong is gathered, and what was not asked for is unknown.
///
/// Every method returns nil for a key that is not there and, after telling, for one that is wrong: a wrong value is never
/// replaced by a default.
struct SectionReader {
    let path: ConfigPath
    let problems: ProblemList
    let sources: SecretSources
    private let members: [ConfigNode.Member]
    /// Whether there is a group at all; an empty one counts as not wrong.
    private let isReadable: Bool
    private var known: [String] = []

    init(_ node: ConfigNode?, at path: ConfigPath, _ problems: ProblemList, _ sources: SecretSources) {
        self.path = path
        self.problems = problems
        self.sources = sources
        var members: [ConfigNode.Member] = []
        var isReadable = true
        if let node, !node.isNull {
            if case .mapping(let found) = node.content {
                members = found
            } else {
                isReadable = false
                problems.add("must be a group of keys, not \(node.kindName)", at: path, node.place)
            }
        }
        self.members = members
        self.isReadable = isReadable
    }

    /// The value of a key, whatever it is.
    mutating func node(_ key: String) -> ConfigNode? {
        known.append(key)
        problems.note(known: path.appending(key))
        return members.first { $0.key == key }?.value
    }

    /// The place of a key's value, for problems that span several keys.
    func place(_ key: String) -> Place? { members.first { $0.key == key }?.value.place }

    /// A group below this one.
    mutating func section(_ key: String) -> SectionReader {
        SectionReader(node(key), at: path.appending(key), problems, sources)
    }

    /// All members, for groups whose keys are names.
    func allMembers() -> [ConfigNode.Member] { members }

    /// Text; a plain number counts as the characters that were written.
    mutating func text(_ key: String, upTo limit: Int = 4096) -> String? {
        guard let node = node(key), let text = scalarText(node, key) else { return nil }
        guard !text.isEmpty, text.utf8.count <= limit else {
            return wrong("must be text of 1 to \(limit) bytes", key, node)
        }
        return text
    }

    /// `true` or `false`.
    mutating func bool(_ key: String) -> Bool? {
        guard let node = node(key) else { return nil }
        if case .scalar(let scalar) = node.content, case .bool(let value) = scalar.value { return value }
        return wrong("must be true or false, not \(node.kindName)", key, node)
    }

    /// A whole number within a range.
    mutating func integer(_ key: String, _ range: ClosedRange<Int>) -> Int? {
        guard let node = node(key) else { return nil }
        guard case .scalar(let scalar) = node.content, let number = scalar.integer.flatMap({ Int(exactly: $0) }) else {
            return wrong("must be a whole number, not \(node.kindName)", key, node)
        }
        guard range.contains(number) else {
            return wrong("must be within \(range.lowerBound) and \(range.upperBound)", key, node)
        }
        return number
    }

    /// A duration with its unit, such as `30s`.
    mutating func duration(_ key: String, _ range: ClosedRange<Duration>) -> Duration? {
        let limits = "\(Quantity.words(range.lowerBound)) and \(Quantity.words(range.upperBound))"
        return quantity(key, range, limits, example: "30s", unit: "s", Quantity.duration)
    }

    /// A size with its unit, such as `64KiB`, in bytes.
    mutating func size(_ key: String, _ range: ClosedRange<Int>) -> Int? {
        let limits = "\(Quantity.words(size: range.lowerBound)) and \(Quantity.words(size: range.upperBound))"
        return quantity(key, range, limits, example: "64KiB", unit: "KiB", Quantity.size)
    }

    private mutating func quantity<Value: Comparable>(
        _ key: String,
        _ range: ClosedRange<Value>,
        _ limits: String,
        example: String,
        unit: String,
        _ parse: (String) -> Value?
    ) -> Value? {
        guard let node = node(key) else { return nil }
        guard case .scalar(let scalar) = node.content, let value = parse(scalar.text) else {
            var hint = ""
            if case .scalar(let scalar) = node.content, scalar.number != nil {
                hint = "; did you mean \(scalar.text)\(unit)?"
            }
            return wrong("must be a number with its unit, such as \(example)\(hint)", key, node)
        }
        guard range.contains(value) else { return wrong("must be within \(limits)", key, node) }
        return value
    }

    /// One of a few words.
    mutating func choice<Value: RawRepresentable<String> & CaseIterable>(_ key: String, _ type: Value.Type) -> Value? {
        guard let node = node(key) else { return nil }
        return choice(node, at: path.appending(key), type)
    }

    /// One of a few words, for groups whose keys are names.
    func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ node: ConfigNode,
        at path: ConfigPath,
        _ type: Value.Type
    ) -> Value? {
        let names = Value.allCases.map(\.rawValue)
        guard case .scalar(let scalar) = node.content, let value = Value(rawValue: scalar.text) else {
            var hint = ""
            if case .scalar(let scalar) = node.content, let near = NearestName.of(scalar.text, among: names) {
                hint = "; did you mean \(near)?"
            }
            problems.add("must be one of \(names.joined(separator: ", "))\(hint)", at: path, node.place)
            return nil
        }
        return value
    }

    /// A path, made absolute: relative ones start at the configuration's folder.
    mutating func file(_ key: String) -> String? {
        guard let node = node(key) else { return nil }
        return file(node, at: path.appending(key))
    }

    /// A list of paths; one path alone counts as a list of one.
    mutating func files(_ key: String) -> [String]? {
        guard let node = node(key), !node.isNull else { return nil }
        guard case .list(let items) = node.content else { return file(node, at: path.appending(key)).map { [$0] } }
        return items.enumerated().compactMap { file($1, at: path.appending(key).appending($0)) }
    }

    /// A list of texts, one at least; one text alone counts as a list of one.
    mutating func texts(_ key: String) -> [String]? {
        guard let node = node(key) else { return nil }
        let items: [ConfigNode] = if case .list(let items) = node.content { items } else { [node] }
        guard !items.isEmpty else { return wrong("must not be empty", key, node) }
        let texts = items.compactMap { scalarText($0, key) }
        guard texts.count == items.count else { return nil }
        return texts.allSatisfy { !$0.isEmpty } ? texts : wrong("must not hold empty text", key, node)
    }

    private func file(_ node: ConfigNode, at path: ConfigPath) -> String? {
        guard case .scalar(let scalar) = node.content, !node.isNull, !scalar.text.isEmpty else {
            problems.add("must be a path, not \(node.kindName)", at: path, node.place)
            return nil
        }
        guard !scalar.text.hasPrefix("~") else {
            problems.add("~ is not expanded; write the whole path", at: path, node.place)
            return nil
        }
        return sources.absolute(scalar.text)
    }

    /// A secret: text, `{file: path}` or `{env: NAME}`.
    mutating func secret(_ key: String) -> Redacted<String>? {
        guard let node = node(key) else { return nil }
        if !SecretReader.isReference(node) { problems.warnOfSecret(at: path.appending(key), node.place) }
        let keyPath = path.appending(key)
        let secret = SecretReader.read(node, sources) { problems.add($0, at: keyPath, $1) }
        return secret.map { Redacted($0) }
    }

    /// Tells of every key that was not asked for.
    func finish() {
        guard isReadable else { return }
        for member in members where !known.contains(member.key) {
            problems.add(unknownKey(member.key, among: known), at: path.appending(member.key), member.keyPlace)
        }
    }

    private func scalarText(_ node: ConfigNode, _ key: String) -> String? {
        guard case .scalar(let scalar) = node.content else {
            return wrong("must be text, not \(node.kindName)", key, node)
        }
        switch scalar.value {
        case .null: return wrong("has no value", key, node)
        case .bool: return wrong("must be text; put it in quotes", key, node)
        default: return scalar.text
        }
    }

    private func wrong<Value>(_ message: String, _ key: String, _ node: ConfigNode) -> Value? {
        problems.add(message, at: path.appending(key), node.place)
        return nil
    }
}

/// What to say of a key that nobody knows.
func unknownKey(_ key: String, among known: [String]) -> String {
    if let near = NearestName.of(key, among: known) { return "unknown key; did you mean \(near)?" }
    return known.isEmpty
        ? "unknown key; no keys are known here" : "unknown key; known here: \(known.joined(separator: ", "))"
}
