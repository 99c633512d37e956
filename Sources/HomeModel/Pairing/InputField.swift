public import JSON

/// One field of an ``InputForm``.
public struct InputField: Equatable, Sendable {
    /// What a field takes.
    public enum Kind: String, Sendable {
        /// A line of text.
        case text
        /// Text that is hidden while it is typed and never published.
        case password
        /// `true` or `false`.
        case flag
        /// A whole number.
        case number
    }

    /// A value to choose.
    public struct Choice: Equatable, Sendable {
        /// The value that is answered.
        public var value: String
        /// What a person reads.
        public var title: String

        /// Describes a choice.
        public init(_ value: String, title: String? = nil) {
            self.value = value
            self.title = title ?? value
        }
    }

    /// The member's key in the answer.
    public var name: String
    /// What a person reads.
    public var title: String
    /// What it takes.
    public var kind: Kind
    /// More words for a person.
    public var hint: String?
    /// Whether it must be answered.
    public var isRequired: Bool
    /// The values offered; with ``allowsOther`` any other may be answered, too.
    public var choices: [Choice]
    /// Whether a value beyond ``choices`` may be given.
    public var allowsOther: Bool
    /// The shortest and longest text, in UTF-8 bytes; the smallest and largest number.
    public var range: ClosedRange<Int>?
    /// A regular expression, for people and programs; the asker checks it itself.
    public var pattern: String?
    /// Used where nothing is answered; never of a password.
    public var fallback: JSON?

    /// Describes a field.
    public init(
        _ name: String,
        title: String,
        kind: Kind = .text,
        hint: String? = nil,
        isRequired: Bool = true,
        choices: [Choice] = [],
        allowsOther: Bool = false,
        range: ClosedRange<Int>? = nil,
        pattern: String? = nil,
        fallback: JSON? = nil
    ) {
        self.name = name
        self.title = title
        self.kind = kind
        self.hint = hint
        self.isRequired = isRequired
        self.choices = choices
        self.allowsOther = allowsOther
        self.range = range
        self.pattern = pattern
        self.fallback = fallback
    }
}

extension InputField {
    /// The field as a JSON Schema: `type`, `title`, `description`, `format: "password"`, `oneOf` or `anyOf` with `const` and
    /// `title` for choices, `minLength`, `maxLength`, `minimum`, `maximum`, `pattern`, `default`.
    public var schema: JSON {
        let type =
            switch kind {
            case .text, .password: "string"
            case .flag: "boolean"
            case .number: "integer"
            }
        var schema: JSONObject = ["type": .string(type), "title": .string(title)]
        if kind == .password { schema["format"] = "password" }
        if let hint { schema["description"] = .string(hint) }
        if !choices.isEmpty {
            var options = choices.map { JSON.object(["const": .string($0.value), "title": .string($0.title)]) }
            if allowsOther { options.append(["type": "string", "title": "Another one"]) }
            schema[allowsOther ? "anyOf" : "oneOf"] = .array(options)
        }
        if let range {
            schema[kind == .number ? "minimum" : "minLength"] = .integer(Int64(range.lowerBound))
            schema[kind == .number ? "maximum" : "maxLength"] = .integer(Int64(range.upperBound))
        }
        if let pattern { schema["pattern"] = .string(pattern) }
        if let fallback { schema["default"] = fallback }
        return .object(schema)
    }

    /// Reads the form that ``schema`` writes; nil for a type that no field has.
    public init?(name: String, schema: JSON, isRequired: Bool) {
        let kind: Kind
        switch schema["type"]?.stringValue {
        case "string": kind = schema["format"]?.stringValue == "password" ? .password : .text
        case "boolean": kind = .flag
        case "integer": kind = .number
        default: return nil
        }
        let options = schema["oneOf"]?.arrayValue ?? schema["anyOf"]?.arrayValue ?? []
        let choices = options.compactMap { option in
            option["const"]?.stringValue.map { Choice($0, title: option["title"]?.stringValue) }
        }
        let low = (schema["minLength"] ?? schema["minimum"])?.intValue
        let high = (schema["maxLength"] ?? schema["maximum"])?.intValue
        var range: ClosedRange<Int>?
        if low != nil || high != nil {
            let (low, high) = (low ?? 0, high ?? Int(Int32.max))
            guard low <= high else { return nil }
            range = low...high
        }
        self.init(
            name,
            title: schema["title"]?.stringValue ?? name,
            kind: kind,
            hint: schema["description"]?.stringValue,
            isRequired: isRequired,
            choices: choices,
            allowsOther: schema["anyOf"] != nil && !choices.isEmpty,
            range: range,
            pattern: schema["pattern"]?.stringValue,
            fallback: schema["default"]
        )
    }

    /// Checks one value.
    ///
    /// - Returns: the value, the default where there is none, nil where it may be missing.
    func checked(_ value: JSON?) throws(CommandError) -> JSON? {
        guard let value = value.flatMap({ $0.isNull ? nil : $0 }) ?? fallback else {
            guard isRequired else { return nil }
            throw CommandError(.badRequest, "\"\(name)\" must be answered.")
        }
        switch kind {
        case .flag:
            guard value.boolValue != nil else { throw CommandError(.badRequest, "\"\(name)\" must be true or false.") }
        case .number:
            guard let number = value.intValue else {
                throw CommandError(.badRequest, "\"\(name)\" must be a whole number.")
            }
            try checkRange(number, "")
        case .text, .password:
            guard let text = value.stringValue else { throw CommandError(.badRequest, "\"\(name)\" must be text.") }
            guard allowsOther || choices.isEmpty || choices.contains(where: { $0.value == text }) else {
                throw CommandError(.valueOutOfRange, "\"\(name)\" must be one of the choices.")
            }
            try checkRange(text.utf8.count, " bytes")
        }
        return value
    }

    private func checkRange(_ number: Int, _ unit: String) throws(CommandError) {
        guard let range, !range.contains(number) else { return }
        let span = range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
        throw CommandError(
            .valueOutOfRange,
            "\"\(name)\" must \(unit.isEmpty ? "be" : "have") \(span)\(unit)."
        )
    }
}
