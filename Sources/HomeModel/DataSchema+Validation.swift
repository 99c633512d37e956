public import JSON

/// What to do with a number outside its range.
public enum RangePolicy: Sendable {
    /// Refuse the value.
    case refuse
    /// Take the nearest number allowed.
    case clamp
}

extension DataSchema {
    /// Checks a value that somebody wants to write.
    ///
    /// - Parameter path: what to call the value in an error, such as `color.h`.
    /// - Returns: the value to use: `value` itself, with `3.0` turned to `3` where the type is integer, and clamped where
    ///   asked for.
    /// - Throws: `value_out_of_range` for a value of the right type outside its range or choices, `bad_request` for a value
    ///   of another type.
    public func validate(_ value: JSON, at path: String, range: RangePolicy = .refuse) throws(CommandError) -> JSON {
        switch type {
        case nil:
            return value
        case .boolean:
            guard case .bool = value else { throw wrongType("true or false", path, value) }
            return value
        case .integer:
            guard let number = value.intValue else { throw wrongType("a whole number", path, value) }
            let checked = try checkedRange(Double(number), path, range)
            return .integer(checked == Double(number) ? Int64(number) : Int64(checked))
        case .number:
            guard let number = value.doubleValue else { throw wrongType("a number", path, value) }
            let checked = try checkedRange(number, path, range)
            return checked == number ? value : .double(checked)
        case .string:
            return try validateString(value, path)
        case .object:
            return try validateObject(value, path, range)
        case .array:
            guard case .array(let elements) = value else { throw wrongType("a list", path, value) }
            guard let schema = items.first else { return value }
            var checked: [JSON] = []
            for (index, element) in elements.enumerated() {
                checked.append(try schema.validate(element, at: "\(path)[\(index)]", range: range))
            }
            return .array(checked)
        }
    }

    private func validateString(_ value: JSON, _ path: String) throws(CommandError) -> JSON {
        guard case .string(let text) = value else { throw wrongType("a string", path, value) }
        if let choices, !choices.contains(text) {
            throw CommandError(
                .valueOutOfRange,
                "\(path) cannot be \"\(text.prefix(64))\".",
                hint: "One of: \(choices.joined(separator: ", "))."
            )
        }
        if let maxLength, text.utf8.count > maxLength {
            throw CommandError(.valueOutOfRange, "\(path) is longer than \(maxLength) bytes.")
        }
        return value
    }

    private func validateObject(_ value: JSON, _ path: String, _ range: RangePolicy) throws(CommandError) -> JSON {
        guard case .object(let object) = value else { throw wrongType("an object", path, value) }
        if members.isEmpty { return value }
        var checked = JSONObject()
        for (key, member) in object {
            guard let known = members.first(where: { $0.name == key }) else {
                throw CommandError(
                    .badRequest,
                    "\(path) has no member \"\(key.prefix(64))\".",
                    hint: "Members: \(members.map(\.name).joined(separator: ", "))."
                )
            }
            checked[key] = try known.schema.validate(member, at: "\(path).\(key)", range: range)
        }
        if let missing = members.first(where: { $0.isRequired && object[$0.name] == nil }) {
            throw CommandError(.badRequest, "\(path) needs a member \"\(missing.name)\".")
        }
        return .object(checked)
    }

    private func checkedRange(_ number: Double, _ path: String, _ range: RangePolicy) throws(CommandError) -> Double {
        let low = minimum ?? -.infinity
        let high = maximum ?? .infinity
        guard number.isFinite, number < low || number > high else { return number }
        guard range == .refuse else { return number < low ? low : high }
        let unit = unit.map { " \($0)" } ?? ""
        throw CommandError(
            .valueOutOfRange,
            "\(path) must be within \(plain(low)) and \(plain(high))\(unit).",
            hint: "Give \"clamp\": true to take the nearest value allowed."
        )
    }

    private func wrongType(_ wanted: String, _ path: String, _ value: JSON) -> CommandError {
        CommandError(.badRequest, "\(path) must be \(wanted), not \(value.kindName).")
    }
}

/// A number as a person writes it: no `.0` on whole numbers.
private func plain(_ number: Double) -> String {
    if number.isInfinite { return "any number" }
    return Int64(exactly: number).map(String.init) ?? "\(number)"
}

extension JSON {
    /// What kind of value this is, with an article, for messages.
    package var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .unsigned, .double: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
