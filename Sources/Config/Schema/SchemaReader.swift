internal import JSON

/// Reads rules and gathers what is wrong with them.
struct SchemaReader {
    private(set) var problems: [String] = []
    /// Every reference with the place where it stands.
    private var references: [(name: String, place: String)] = []
    private static let maxDepth = 32

    private static let annotations: Set<String> = [
        "$schema", "$id", "$comment", "$defs", "title", "description", "default", "examples", "deprecated", "format",
        "readOnly", "writeOnly",
    ]

    mutating func rule(_ json: JSON, at place: String, depth: Int = 0) -> SchemaRule {
        var rule = SchemaRule()
        if json == true { return rule }
        guard let object = json.objectValue else {
            problems.append("\(place) must be an object or true")
            return rule
        }
        guard depth < Self.maxDepth else {
            problems.append("\(place) is nested deeper than \(Self.maxDepth) levels")
            return rule
        }
        for (keyword, value) in object {
            read(keyword, value, into: &rule, at: "\(place)/\(keyword)", depth: depth)
        }
        if rule.kinds.isEmpty, let choices = rule.choices {
            rule.kinds = Array(Set(choices.map { SchemaRule.Kind(of: $0) })).sorted { $0.rawValue < $1.rawValue }
        }
        if rule.reference != nil { checkAlone(object, at: place) }
        return rule
    }

    private mutating func read(
        _ keyword: String,
        _ value: JSON,
        into rule: inout SchemaRule,
        at place: String,
        depth: Int
    ) {
        switch keyword {
        case "$ref": rule.reference = reference(value, at: place)
        case "type": rule.kinds = kinds(value, at: place)
        case "properties": rule.properties = properties(value, at: place, depth: depth)
        case "required": rule.required = texts(value, at: place)
        case "additionalProperties": rule.additional = additional(value, at: place, depth: depth)
        case "items": rule.items = [self.rule(value, at: place, depth: depth + 1)]
        case "enum":
            rule.choices = value.arrayValue
            if value.arrayValue?.isEmpty != false { problems.append("\(place) must be a list with a value") }
        case "const": rule.choices = [value]
        case "minimum": rule.minimum = number(value, at: place)
        case "maximum": rule.maximum = number(value, at: place)
        case "minItems": rule.itemCount = range(from: value, rule.itemCount, at: place)
        case "maxItems": rule.itemCount = range(to: value, rule.itemCount, at: place)
        case "minLength": rule.length = range(from: value, rule.length, at: place)
        case "maxLength": rule.length = range(to: value, rule.length, at: place)
        case "pattern": rule.pattern = pattern(value, at: place)
        case "anyOf": rule.anyOf = rules(value, at: place, depth: depth)
        case "oneOf": rule.oneOf = rules(value, at: place, depth: depth)
        case "x-secret":
            rule.isSecret = value.boolValue ?? false
            if value.boolValue == nil { problems.append("\(place) must be true or false") }
        case "description":
            rule.summary = value.stringValue.flatMap { $0.split(separator: ".").first.map(String.init) }
        case _ where keyword.hasPrefix("x-") || Self.annotations.contains(keyword): break
        default: problems.append("\(place) is not understood")
        }
    }

    /// Tells of references to what is not there.
    mutating func checkReferences(_ names: Set<String>) {
        for reference in references where !names.contains(reference.name) {
            problems.append("\(reference.place) refers to #/$defs/\(reference.name), which is not there")
        }
    }

    private mutating func reference(_ value: JSON, at place: String) -> SchemaRule.Reference? {
        let text = value.stringValue ?? ""
        if text == "#" { return .root }
        let prefix = "#/$defs/"
        let name = text.dropFirst(prefix.count)
        guard text.hasPrefix(prefix), !name.isEmpty, !name.contains("/"), !name.contains("~") else {
            problems.append("\(place) must be # or #/$defs/ and a name")
            return nil
        }
        references.append((String(name), place))
        return .definition(String(name))
    }

    /// Beside a reference nothing else would be checked.
    private mutating func checkAlone(_ object: JSONObject, at place: String) {
        for key in object.keys where key != "$ref" && !key.hasPrefix("x-") && !Self.annotations.contains(key) {
            problems.append("\(place)/\(key) stands beside $ref; put it into the definition")
        }
    }

    private mutating func kinds(_ value: JSON, at place: String) -> [SchemaRule.Kind] {
        let names = value.stringValue.map { [$0] } ?? value.arrayValue?.compactMap(\.stringValue) ?? []
        let kinds = names.compactMap(SchemaRule.Kind.init(rawValue:))
        if kinds.isEmpty || kinds.count != max(names.count, value.arrayValue?.count ?? 0) {
            problems.append(
                "\(place) must be one or more of \(SchemaRule.Kind.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        }
        return kinds
    }

    private mutating func properties(_ value: JSON, at place: String, depth: Int) -> [SchemaRule.Property] {
        guard let object = value.objectValue else {
            problems.append("\(place) must be an object")
            return []
        }
        var properties: [SchemaRule.Property] = []
        for (name, value) in object {
            properties.append(.init(name: name, rule: rule(value, at: "\(place)/\(name)", depth: depth + 1)))
        }
        return properties
    }

    private mutating func additional(_ value: JSON, at place: String, depth: Int) -> SchemaRule.Additional {
        switch value {
        case .bool(true): .anything
        case .bool(false): .nothing
        default: .matching([rule(value, at: place, depth: depth + 1)])
        }
    }

    private mutating func rules(_ value: JSON, at place: String, depth: Int) -> [SchemaRule] {
        guard let list = value.arrayValue, !list.isEmpty else {
            problems.append("\(place) must be a list of schemas")
            return []
        }
        var rules: [SchemaRule] = []
        for (index, value) in list.enumerated() {
            rules.append(rule(value, at: "\(place)/\(index)", depth: depth + 1))
        }
        return rules
    }

    private mutating func pattern(_ value: JSON, at place: String) -> String? {
        guard let text = value.stringValue, (try? Regex(text)) != nil else {
            problems.append("\(place) must be a regular expression")
            return nil
        }
        return text
    }

    private mutating func texts(_ value: JSON, at place: String) -> [String] {
        let texts = value.arrayValue?.compactMap(\.stringValue) ?? []
        if texts.count != value.arrayValue?.count { problems.append("\(place) must be a list of names") }
        return texts
    }

    private mutating func number(_ value: JSON, at place: String) -> Double? {
        if value.doubleValue == nil { problems.append("\(place) must be a number") }
        return value.doubleValue
    }

    private mutating func count(_ value: JSON, at place: String) -> Int? {
        guard let count = value.intValue, count >= 0 else {
            problems.append("\(place) must be a whole number from 0")
            return nil
        }
        return count
    }

    private mutating func range(from value: JSON, _ range: ClosedRange<Int>, at place: String) -> ClosedRange<Int> {
        guard let low = count(value, at: place) else { return range }
        return low...max(low, range.upperBound)
    }

    private mutating func range(to value: JSON, _ range: ClosedRange<Int>, at place: String) -> ClosedRange<Int> {
        guard let high = count(value, at: place) else { return range }
        return min(range.lowerBound, high)...high
    }
}
