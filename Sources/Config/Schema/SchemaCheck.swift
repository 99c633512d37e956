internal import JSON

/// Checks a value against a schema and makes the JSON that the plugin gets.
///
/// A plain scalar becomes what the schema wants: where it wants text, `0123` stays `0123` and `1e5` stays `1e5`.
struct SchemaCheck {
    /// A problem with the way from the value that was checked.
    struct Problem: Equatable {
        var path: ConfigPath
        var place: Place?
        var message: String
        /// Whether the value is of another kind than any that is allowed.
        var isWrongKind = false
    }

    /// A value as the plugin gets it, and as a log may show it.
    struct Value {
        var json: JSON
        var redacted: JSON

        init(_ json: JSON) { (self.json, redacted) = (json, json) }
        init(_ json: JSON, redacted: JSON) { (self.json, self.redacted) = (json, redacted) }
    }

    private(set) var problems: [Problem] = []
    private(set) var secretValues: Set<String> = []
    /// Secrets that stand in the file itself.
    private(set) var secretsInPlace: [(path: ConfigPath, place: Place?)] = []

    private let schema: ConfigSchema
    private let sources: SecretSources
    private static let maxDepth = 64

    init(_ schema: ConfigSchema, sources: SecretSources) {
        self.schema = schema
        self.sources = sources
    }

    /// Checks a whole section.
    mutating func check(_ node: ConfigNode) -> Value {
        check(node, schema.root, at: ConfigPath(), depth: 0)
    }

    private mutating func check(_ node: ConfigNode, _ rule: SchemaRule, at path: ConfigPath, depth: Int) -> Value {
        guard depth < Self.maxDepth else {
            problem("the schema has no end here", node, path)
            return Value(.null)
        }
        if let reference = rule.reference {
            var target = schema.rule(for: reference)
            target.isSecret = target.isSecret || rule.isSecret
            return check(node, target, at: path, depth: depth + 1)
        }
        if rule.isSecret { return secret(node, rule, at: path, depth: depth) }
        var value = own(node, rule, at: path, depth: depth)
        for (branches, isExclusive) in [(rule.anyOf, false), (rule.oneOf, true)] where !branches.isEmpty {
            let chosen = choose(node, branches, isExclusive: isExclusive, at: path, depth: depth)
            // A rule that says what kind the value is makes the value; else the branch does.
            if rule.kinds.isEmpty, let chosen { value = chosen }
        }
        return value
    }

    /// What the rule itself says, without its branches.
    private mutating func own(_ node: ConfigNode, _ rule: SchemaRule, at path: ConfigPath, depth: Int) -> Value {
        switch node.content {
        case .mapping(let members):
            guard rule.allows(.object) else { return wrongKind(node, rule, path) }
            return group(members, node, rule, at: path, depth: depth)
        case .list(let items):
            guard rule.allows(.array) else { return wrongKind(node, rule, path) }
            return list(items, node, rule, at: path, depth: depth)
        case .scalar(let scalar):
            guard let json = scalar.json(for: rule) else {
                // `devices:` with all its items commented out.
                if scalar.value == .null, rule.allows(.object) { return group([], node, rule, at: path, depth: depth) }
                if scalar.value == .null, rule.allows(.array) { return list([], node, rule, at: path, depth: depth) }
                return wrongKind(node, rule, path)
            }
            checkScalar(json, node, rule, path)
            return Value(json)
        }
    }

    private mutating func group(
        _ members: [ConfigNode.Member],
        _ node: ConfigNode,
        _ rule: SchemaRule,
        at path: ConfigPath,
        depth: Int
    ) -> Value {
        var value = Value(.null)
        var (json, redacted) = (JSONObject(), JSONObject())
        for member in members {
            let memberPath = path.appending(member.key)
            if let known = rule.properties.first(where: { $0.name == member.key }) {
                value = check(member.value, known.rule, at: memberPath, depth: depth + 1)
            } else {
                switch rule.additional {
                case .anything: value = Value(member.value.json)
                case .matching(let rules): value = check(member.value, rules[0], at: memberPath, depth: depth + 1)
                case .nothing:
                    let message = unknownKey(member.key, among: rule.properties.map(\.name))
                    problems.append(Problem(path: memberPath, place: member.keyPlace, message: message))
                    continue
                }
            }
            json[member.key] = value.json
            redacted[member.key] = value.redacted
        }
        for key in rule.required where !members.contains(where: { $0.key == key }) {
            let summary = rule.properties.first { $0.name == key }?.rule.summary.map { " (\($0))" } ?? ""
            problems.append(Problem(path: path, place: node.place, message: "lacks the key \(key)\(summary)"))
        }
        return Value(.object(json), redacted: .object(redacted))
    }

    private mutating func list(
        _ items: [ConfigNode],
        _ node: ConfigNode,
        _ rule: SchemaRule,
        at path: ConfigPath,
        depth: Int
    ) -> Value {
        let count = rule.itemCount
        if !count.contains(items.count) {
            let wanted = items.count < count.lowerBound ? "at least \(count.lowerBound)" : "at most \(count.upperBound)"
            problem("must have \(wanted) items, not \(items.count)", node, path)
        }
        guard let itemRule = rule.items.first else { return Value(.array(items.map(\.json))) }
        var values: [Value] = []
        for (index, item) in items.enumerated() {
            values.append(check(item, itemRule, at: path.appending(index), depth: depth + 1))
        }
        return Value(.array(values.map(\.json)), redacted: .array(values.map(\.redacted)))
    }

    private mutating func checkScalar(_ json: JSON, _ node: ConfigNode, _ rule: SchemaRule, _ path: ConfigPath) {
        if let choices = rule.choices, !choices.contains(where: { isSame($0, json) }) {
            let names = choices.map { $0.stringValue ?? $0.text }
            let near =
                json.stringValue.flatMap { NearestName.of($0, among: names) }.map { "; did you mean \($0)?" } ?? ""
            problem("must be \(names.count == 1 ? "" : "one of ")\(names.joined(separator: ", "))\(near)", node, path)
        }
        if let number = json.doubleValue {
            if let minimum = rule.minimum, number < minimum {
                problem("must be at least \(plain(minimum))", node, path)
            }
            if let maximum = rule.maximum, number > maximum { problem("must be at most \(plain(maximum))", node, path) }
        }
        if let text = json.stringValue { checkText(text, node, rule, path) }
    }

    private mutating func checkText(_ text: String, _ node: ConfigNode, _ rule: SchemaRule, _ path: ConfigPath) {
        let count = text.unicodeScalars.count
        if !rule.length.contains(count) {
            let (low, high) = (rule.length.lowerBound, rule.length.upperBound)
            let wanted = low == high ? "\(low)" : count < low ? "at least \(low)" : "at most \(high)"
            problem("must have \(wanted) characters, not \(count)", node, path)
        }
        if let pattern = rule.pattern, let regex = try? Regex(pattern).matchingSemantics(.unicodeScalar),
            (try? regex.firstMatch(in: text)) == nil
        {
            problem("does not have the form \(pattern)", node, path)
        }
    }

    /// The value of the branch that fits; nil after telling that none does, or more than one where only one may.
    private mutating func choose(
        _ node: ConfigNode,
        _ branches: [SchemaRule],
        isExclusive: Bool,
        at path: ConfigPath,
        depth: Int
    ) -> Value? {
        var fitting: [(check: SchemaCheck, value: Value)] = []
        var failing: [[Problem]] = []
        for branch in branches {
            var trial = self
            trial.problems = []
            let value = trial.check(node, branch, at: path, depth: depth + 1)
            if trial.problems.isEmpty { fitting.append((trial, value)) } else { failing.append(trial.problems) }
        }
        if fitting.count > 1, isExclusive {
            problem("fits more than one of the forms that exclude each other", node, path)
            return nil
        }
        if let first = fitting.first {
            secretValues = first.check.secretValues
            secretsInPlace = first.check.secretsInPlace
            return first.value
        }
        let near = failing.filter { problems in !problems.contains { $0.path == path && $0.isWrongKind } }
        if let best = near.min(by: { $0.count < $1.count }) {
            problems += best
        } else {
            let kinds = branches.flatMap { branch in (branch.reference.map { schema.rule(for: $0) } ?? branch).kinds }
            problem(Self.wanted(kinds, node), node, path, isWrongKind: true)
        }
        return nil
    }

    /// A value that no log may show: text or a reference to it, or anything with secrets in it.
    private mutating func secret(_ node: ConfigNode, _ rule: SchemaRule, at path: ConfigPath, depth: Int) -> Value {
        var open = rule
        open.isSecret = false
        guard SecretReader.isReference(node), rule.allows(.string) else {
            let value = check(node, open, at: path, depth: depth + 1)
            collectSecrets(value.json)
            secretsInPlace.append((path, node.place))
            return Value(value.json, redacted: "<redacted>")
        }
        var found: [Problem] = []
        let text = SecretReader.read(node, sources) { found.append(Problem(path: path, place: $1, message: $0)) }
        problems += found
        guard let text else { return Value(.null) }
        checkScalar(.string(text), node, open, path)
        secretValues.insert(text)
        return Value(.string(text), redacted: "<redacted>")
    }

    private mutating func collectSecrets(_ json: JSON) {
        switch json {
        case .string(let text): if !text.isEmpty { secretValues.insert(text) }
        case .array(let items): for item in items { collectSecrets(item) }
        case .object(let object): for (_, value) in object { collectSecrets(value) }
        case .integer, .unsigned, .double: secretValues.insert(json.text)
        case .null, .bool: break
        }
    }

    private mutating func wrongKind(_ node: ConfigNode, _ rule: SchemaRule, _ path: ConfigPath) -> Value {
        problem(Self.wanted(rule.kinds, node), node, path, isWrongKind: true)
        return Value(.null)
    }

    private static func wanted(_ kinds: [SchemaRule.Kind], _ node: ConfigNode) -> String {
        var names: [String] = []
        for kind in kinds where !names.contains(kind.words) { names.append(kind.words) }
        let quotes =
            kinds.contains(.string) && node.kindName == SchemaRule.Kind.boolean.words ? "; put it in quotes" : ""
        return "must be \(names.joined(separator: " or ")), not \(node.kindName)\(quotes)"
    }

    private mutating func problem(_ message: String, _ node: ConfigNode, _ path: ConfigPath, isWrongKind: Bool = false)
    {
        problems.append(Problem(path: path, place: node.place, message: message, isWrongKind: isWrongKind))
    }
}

extension ConfigNode.Scalar {
    /// The value as a rule wants it; nil where it is of no kind that the rule allows.
    func json(for rule: SchemaRule) -> JSON? {
        let value = self.value
        switch value {
        case .null: if rule.allows(.null) { return value }
        case .bool: if rule.allows(.boolean) { return value }
        case .array, .object: return nil
        case .integer, .unsigned: if rule.allows(.integer) { return value }
        case .double:
            if rule.allows(.number) { return value }
            if rule.allows(.integer), let number, let integer = Int64(exactly: number) { return .integer(integer) }
        case .string:
            if rule.allows(.string) { return value }
            // `007` is text unless a number is wanted.
            if rule.allows(.integer), let integer { return .integer(integer) }
            if rule.allows(.number), let number { return .double(number) }
        }
        guard isPlain, value.doubleValue != nil, rule.allows(.string) else { return nil }
        return .string(text)
    }
}

/// Whether two values are the same; `3` and `3.0` are.
private func isSame(_ one: JSON, _ other: JSON) -> Bool {
    if let one = one.doubleValue, let other = other.doubleValue { return one == other }
    return one == other
}

/// A number as a person writes it: no `.0` on whole numbers.
private func plain(_ number: Double) -> String { Int64(exactly: number).map(String.init) ?? "\(number)" }
