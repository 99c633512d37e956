/// A JSON value (RFC 8259).
///
/// Integers are exact: what fits in 64 bits signed is always ``integer(_:)``, ``unsigned(_:)`` holds only what is above
/// `Int64.max`. A number written with a fraction or an exponent, `-0`, and an integer outside 64 bits are ``double(_:)``.
/// Two values are equal when they have the same case and content, strings byte by byte: `.integer(3) != .double(3.0)`.
public enum JSON: Sendable {
    /// The literal `null`.
    case null
    /// The literals `true` and `false`.
    case bool(Bool)
    /// A number without fraction or exponent, within `Int64`.
    case integer(Int64)
    /// A number without fraction or exponent, in `Int64.max + 1 ... UInt64.max`; use ``init(_:)-(UInt64)`` to get the right case.
    case unsigned(UInt64)
    /// Any other number; a value that is not finite is written as `null`, as JSON has no words for it.
    case double(Double)
    /// Text; any Unicode scalar, NUL included.
    case string(String)
    /// An ordered list.
    case array([JSON])
    /// Members by key.
    case object(JSONObject)

    /// Makes a number in its one canonical case.
    public init(_ value: Int) {
        self = .integer(Int64(value))
    }

    /// Makes a number in its one canonical case: ``unsigned(_:)`` only above `Int64.max`.
    public init(_ value: UInt64) {
        if let signed = Int64(exactly: value) {
            self = .integer(signed)
        } else {
            self = .unsigned(value)
        }
    }
}

extension JSON: Equatable {
    /// Whether both have the same case and content; the order of members does not count, and NaN equals nothing.
    public static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.unsigned(let left), .unsigned(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.string(let left), .string(let right)): left.isIdentical(to: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }
}

extension JSON: ExpressibleByNilLiteral {
    /// Makes `null`.
    ///
    /// Where a `JSON?` is wanted, `nil` is the missing value; but `condition ? nil : JSON(1)` is `null`, because both
    /// sides are made a `JSON` first: write `Optional.none` there.
    public init(nilLiteral: ()) {
        self = .null
    }
}

extension JSON: ExpressibleByBooleanLiteral {
    /// Makes `true` or `false`.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }
}

extension JSON: ExpressibleByIntegerLiteral {
    /// Makes an integer within `Int64`.
    public init(integerLiteral value: Int64) {
        self = .integer(value)
    }
}

extension JSON: ExpressibleByFloatLiteral {
    /// Makes a double.
    public init(floatLiteral value: Double) {
        self = .double(value)
    }
}

extension JSON: ExpressibleByStringLiteral {
    /// Makes a string.
    public init(stringLiteral value: String) {
        self = .string(value)
    }
}

extension JSON: ExpressibleByArrayLiteral {
    /// Makes an array.
    public init(arrayLiteral elements: JSON...) {
        self = .array(elements)
    }
}

extension JSON: ExpressibleByDictionaryLiteral {
    /// Makes an object with the members in the order written; the last of equal keys wins.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(JSONObject(elements))
    }
}

extension JSON: CustomStringConvertible {
    /// The value as compact JSON text.
    public var description: String { text }
}
