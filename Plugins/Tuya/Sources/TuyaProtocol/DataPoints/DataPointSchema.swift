package import JSON

/// What is known about one data point of a product.
package struct DataPointSchema: Equatable, Sendable {
    /// In which direction values travel.
    package enum Transfer: String, Sendable {
        case sendAndReport = "rw"
        case reportOnly = "ro"
        case sendOnly = "wr"
    }

    /// What sending a value does.
    package enum Trigger: String, Sendable {
        /// Every message counts, so it is never sent twice.
        case pulse
        case direct
    }

    package var id: Int
    /// The vendor's identifier, such as `switch_led`; `nil` without a schema.
    package var code: String?
    package var type: DataPointType
    package var transfer: Transfer
    package var trigger: Trigger?

    /// Describes a data point.
    package init(
        id: Int,
        code: String? = nil,
        type: DataPointType,
        transfer: Transfer = .sendAndReport,
        trigger: Trigger? = nil
    ) {
        self.id = id
        self.code = code
        self.type = type
        self.transfer = transfer
        self.trigger = trigger
    }

    /// What a value that was reported without a schema suggests; `nil` for objects, arrays and fractions.
    package static func inferred(id: Int, from value: JSON) -> DataPointSchema? {
        let type: DataPointType
        switch value {
        case .bool: type = .bool
        case .integer, .unsigned: type = .value(ValueRange(minimum: Int(Int32.min), maximum: Int(Int32.max)))
        case .string: type = .string(maximumLength: nil)
        case .double, .array, .object, .null: return nil
        }
        return DataPointSchema(id: id, type: type)
    }

    /// The code, or `dp_` and the id.
    package var name: String { code ?? "dp_\(id)" }
}

extension DataPointSchema {
    /// What cannot be sent to a data point.
    package enum ValueProblem: Error, Equatable, Sendable {
        case wrongType(expected: String)
        case notInRange([String])
        case tooLong(limit: Int)
        case reportOnly
    }

    /// The value that a raw one stands for: scaled numbers, lists of fault labels; other kinds as they are.
    ///
    /// - Returns: `nil` if the raw value is not of this point's type.
    package func engineering(_ raw: JSON) -> JSON? {
        switch type {
        case .bool: return raw.boolValue.map { .bool($0) }
        case .value(let range):
            guard let number = raw.intValue else { return nil }
            return range.scale == 0 ? JSON(number) : .double(range.engineering(number))
        case .enumeration, .string, .raw: return raw.stringValue.map { .string($0) }
        case .fault(let labels):
            guard let bits = raw.intValue else { return nil }
            return .array(Self.faults(bits, labels: labels).map { .string($0) })
        }
    }

    /// The raw value to send for a value as ``engineering(_:)`` gives it.
    ///
    /// Numbers are clamped to the range and moved to the nearest step; whoever minds has to look before.
    package func raw(_ value: JSON) throws(ValueProblem) -> JSON {
        switch type {
        case .bool:
            guard let value = value.boolValue else { throw .wrongType(expected: "a boolean") }
            return .bool(value)
        case .value(let range):
            guard let number = value.doubleValue else { throw .wrongType(expected: "a number") }
            return JSON(range.raw(number))
        case .enumeration(let choices):
            guard let text = value.stringValue else { throw .wrongType(expected: "a string") }
            guard choices.isEmpty || choices.contains(text) else { throw .notInRange(choices) }
            return .string(text)
        case .fault(let labels): return try Self.bits(of: value, labels: labels)
        case .string(let limit), .raw(let limit):
            guard let text = value.stringValue else { throw .wrongType(expected: "a string") }
            if let limit, text.utf8.count > limit, case .string = type { throw .tooLong(limit: limit) }
            return .string(text)
        }
    }

    /// As ``raw(_:)``, but refuses points that only report.
    package func settable(_ value: JSON) throws(ValueProblem) -> JSON {
        guard transfer != .reportOnly else { throw .reportOnly }
        return try raw(value)
    }

    private static let bitCount = 32

    private static func faults(_ bits: Int, labels: [String]) -> [String] {
        (0..<bitCount).filter { bits >> $0 & 1 == 1 }.map { $0 < labels.count ? labels[$0] : "bit\($0)" }
    }

    private static func bits(of value: JSON, labels: [String]) throws(ValueProblem) -> JSON {
        if let bits = value.intValue { return JSON(bits) }
        guard let list = value.arrayValue else { throw .wrongType(expected: "a list of fault names") }
        let names = (0..<bitCount).map { $0 < labels.count ? labels[$0] : "bit\($0)" }
        var bits = 0
        for entry in list {
            guard let name = entry.stringValue, let index = names.firstIndex(of: name) else {
                throw .notInRange(labels)
            }
            bits |= 1 << index
        }
        return JSON(bits)
    }
}
