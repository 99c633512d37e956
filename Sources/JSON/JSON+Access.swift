extension JSON {
    /// The member of an object, `nil` where this is no object or has no such member.
    public subscript(key: String) -> JSON? {
        guard case .object(let object) = self else { return nil }
        return object[key]
    }

    /// The element of an array, `nil` where this is no array or has no such element.
    public subscript(index: Int) -> JSON? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// Whether this is `null`.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The truth value of `true` and `false`; never made from numbers or text.
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The number as an `Int`, where it is one exactly: integers and integral doubles such as `3.0`.
    public var intValue: Int? {
        switch self {
        case .integer(let value): Int(exactly: value)
        case .unsigned(let value): Int(exactly: value)
        case .double(let value): Self.int64(of: value).flatMap(Int.init(exactly:))
        default: nil
        }
    }

    /// The number as an `UInt64`, where it is one exactly: integers and integral doubles from 0.
    public var unsignedValue: UInt64? {
        switch self {
        case .integer(let value): UInt64(exactly: value)
        case .unsigned(let value): value
        case .double(let value): Self.uint64(of: value)
        default: nil
        }
    }

    /// Any number as the nearest `Double`; integers beyond 2^53 may lose their last digits.
    public var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// The text of a string; never made from other values.
    public var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The elements of an array.
    public var arrayValue: [JSON]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members of an object.
    public var objectValue: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    // Not `Int64(exactly:)`, which brings in libm in debug builds.
    private static func int64(of value: Double) -> Int64? {
        guard value >= -0x1p63, value < 0x1p63 else { return nil }
        let integer = Int64(value)
        return Double(integer) == value ? integer : nil
    }

    private static func uint64(of value: Double) -> UInt64? {
        guard value >= 0, value < 0x1p64 else { return nil }
        let integer = UInt64(value)
        return Double(integer) == value ? integer : nil
    }
}
