package import JSON

extension ConfigNode {
    /// The value by YAML's core schema: without quotes, `12` is a number and `true` a boolean.
    ///
    /// Numbers that JSON would write otherwise than by dropping zeros behind the point, such as `007` or one of 25
    /// digits, stay text: nothing that was written is lost.
    package var json: JSON {
        switch content {
        case .scalar(let scalar): return scalar.value
        case .list(let items): return .array(items.map(\.json))
        case .mapping(let members):
            var object = JSONObject(reservingCapacity: members.count)
            for member in members { object[member.key] = member.value.json }
            return .object(object)
        }
    }

    /// A node of a value that comes from no file.
    package init(_ json: JSON) {
        switch json {
        case .null: self.init(.scalar(Scalar(text: "null", isPlain: true)), at: nil)
        case .string(let text): self.init(.scalar(Scalar(text: text, isPlain: false)), at: nil)
        case .array(let items): self.init(.list(items.map { ConfigNode($0) }), at: nil)
        case .object(let object):
            self.init(.mapping(object.map { Member(key: $0.key, keyPlace: nil, value: ConfigNode($0.value)) }), at: nil)
        case .bool, .integer, .unsigned, .double: self.init(.scalar(Scalar(text: json.text, isPlain: true)), at: nil)
        }
    }
}

extension ConfigNode.Scalar {
    /// The value by YAML's core schema (yaml.org/spec/1.2.2, section 10.3.2).
    package var value: JSON {
        guard isPlain else { return .string(text) }
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        default: break
        }
        if hasLeadingZero { return .string(text) }
        if let integer { return .integer(integer) }
        if let unsigned = UInt64(text) { return .unsigned(unsigned) }
        // A whole number that no integer holds would lose digits.
        guard !isDecimalInteger, let number else { return .string(text) }
        return .double(number)
    }

    /// The whole number that was written, in decimal, `0x` or `0o`; zeros in front are allowed, quotes are not.
    var integer: Int64? {
        guard isPlain else { return nil }
        if text.hasPrefix("0x") { return digits(after: 2, radix: 16) }
        if text.hasPrefix("0o") { return digits(after: 2, radix: 8) }
        return isDecimalInteger ? Int64(text) : nil
    }

    /// The number that was written: an integer, or `-1.5`, `.5`, `2.`, `1e3`; finite.
    var number: Double? {
        guard isPlain else { return nil }
        if let integer { return Double(integer) }
        var rest = text.utf8[...]
        func take(_ matches: (UInt8) -> Bool) -> String {
            let run = rest.prefix(while: matches)
            rest = rest.dropFirst(run.count)
            return String(decoding: run, as: UTF8.self)
        }
        func takeOne(_ matches: (UInt8) -> Bool) -> String {
            guard let first = rest.first, matches(first) else { return "" }
            rest.removeFirst()
            return String(UnicodeScalar(first))
        }
        // Swift wants a digit on both sides of the point.
        let sign = takeOne(isSign)
        let whole = take(isDigit)
        let fraction = takeOne { $0 == UInt8(ascii: ".") }.isEmpty ? "" : take(isDigit)
        guard !whole.isEmpty || !fraction.isEmpty else { return nil }
        var decimal = sign + (whole.isEmpty ? "0" : whole) + "." + (fraction.isEmpty ? "0" : fraction)
        if !takeOne({ $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }).isEmpty {
            let exponentSign = takeOne(isSign)
            let exponent = take(isDigit)
            guard !exponent.isEmpty else { return nil }
            decimal += "e" + exponentSign + exponent
        }
        guard rest.isEmpty, let number = Double(decimal), number.isFinite else { return nil }
        return number
    }

    /// An optional sign and digits.
    private var isDecimalInteger: Bool {
        let digits = text.utf8.first.map(isSign) == true ? text.utf8.dropFirst() : text.utf8[...]
        return !digits.isEmpty && digits.allSatisfy(isDigit)
    }

    /// Whether a decimal begins with a zero that a number would lose, as in `007` and `-01.5`.
    private var hasLeadingZero: Bool {
        let digits = text.utf8.drop(while: isSign)
        guard digits.first == UInt8(ascii: "0"), let second = digits.dropFirst().first else { return false }
        return isDigit(second)
    }

    private func digits(after count: Int, radix: Int) -> Int64? {
        let digits = text.dropFirst(count)
        guard digits.utf8.first.map(isSign) == false else { return nil }
        return Int64(digits, radix: radix)
    }
}

private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

private func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") }
