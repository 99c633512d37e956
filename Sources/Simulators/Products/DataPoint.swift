package import JSON

/// One data point of a simulated product: what the device accepts and what it holds before anything was set.
package struct DataPoint: Sendable, Equatable {
    /// Which values the device takes.
    package enum Kind: Sendable, Equatable {
        case bool
        /// A whole number in the device's own unit.
        case value(minimum: Int, maximum: Int)
        case enumeration([String])
        /// Text of at most this many bytes.
        case string(maximumLength: Int)
        /// Bytes as base64 text.
        case raw(maximumLength: Int)
        /// A bit field of this many labels.
        case fault(labels: [String])
    }

    /// Who may set it and whether it is reported.
    package enum Transfer: Sendable, Equatable {
        case sendAndReport
        case reportOnly
        case sendOnly
    }

    /// 1...255.
    package let id: Int
    /// The vendor's name of it, for printed schemas.
    package let code: String
    package let kind: Kind
    package let transfer: Transfer
    /// What the device holds at its first start; nil for points that are reported only once they were set.
    package let initial: JSON?

    package init(_ id: Int, _ code: String, _ kind: Kind, _ transfer: Transfer = .sendAndReport, initial: JSON? = nil) {
        self.id = id
        self.code = code
        self.kind = kind
        self.transfer = transfer
        self.initial = initial
    }

    /// The value that the device keeps when a client sets `value`, or nil where it ignores the attempt.
    ///
    /// A number's fraction is cut off (500.7 becomes 500); a wrong JSON type, a number outside the range, an unknown
    /// word and a text that is too long are ignored without an error.
    /// - Source: tuya-ap-plus.md section 7.
    package func accepted(_ value: JSON) -> JSON? {
        guard transfer != .reportOnly else { return .none }
        // `.none` throughout: beside a JSON value, `nil` would be JSON's null.
        switch (kind, value) {
        case (.bool, .bool): return value
        case (.value(let minimum, let maximum), _):
            guard let number = value.doubleValue, number.isFinite, number.magnitude < 1e15 else { return .none }
            let whole = Int(number)
            return (minimum...maximum).contains(whole) ? .integer(Int64(whole)) : .none
        case (.enumeration(let words), .string(let word)): return words.contains(word) ? value : .none
        case (.string(let limit), .string(let text)), (.raw(let limit), .string(let text)):
            return text.utf8.count <= limit ? value : .none
        default: return .none
        }
    }
}
