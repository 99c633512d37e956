/// What a value may be: the part of a W3C Thing Description data schema that devices need.
public struct DataSchema: Equatable, Sendable {
    /// The JSON types of values.
    public enum ValueType: String, Sendable, CaseIterable {
        case boolean, integer, number, string, object, array
    }

    /// The type of the value; nil allows any.
    public var type: ValueType?
    /// The smallest number allowed.
    public var minimum: Double?
    /// The largest number allowed.
    public var maximum: Double?
    /// The step between numbers, counted from the minimum.
    ///
    /// A hint for controls: values between steps are snapped by the device.
    public var step: Double?
    /// The unit: SI symbols, `%`, `K`, `s`.
    public var unit: String?
    /// The values a string may have; nil allows any.
    public var choices: [String]?
    /// The longest string allowed, in UTF-8 bytes.
    public var maxLength: Int?
    /// The members of an object, in order.
    public var members: [Member]
    /// The schema of an array's items, none or one.
    public var items: [DataSchema]

    /// A named member of an object.
    public struct Member: Equatable, Sendable {
        /// The member's key.
        public var name: String
        /// What its value may be.
        public var schema: DataSchema
        /// Whether an object without it is refused.
        public var isRequired: Bool

        /// Describes a member.
        public init(_ name: String, _ schema: DataSchema, isRequired: Bool = true) {
            self.name = name
            self.schema = schema
            self.isRequired = isRequired
        }
    }

    /// A schema with any of the constraints.
    public init(
        type: ValueType? = nil,
        minimum: Double? = nil,
        maximum: Double? = nil,
        step: Double? = nil,
        unit: String? = nil,
        choices: [String]? = nil,
        maxLength: Int? = nil,
        members: [Member] = [],
        items: [DataSchema] = []
    ) {
        self.type = type
        self.minimum = minimum
        self.maximum = maximum
        self.step = step
        self.unit = unit
        self.choices = choices
        self.maxLength = maxLength
        self.members = members
        self.items = items
    }

    /// `true` or `false`.
    public static let boolean = DataSchema(type: .boolean)
    /// Any JSON value.
    public static let any = DataSchema()

    /// A whole number within a closed range.
    public static func integer(_ range: ClosedRange<Int>, step: Int? = nil, unit: String? = nil) -> DataSchema {
        DataSchema(
            type: .integer,
            minimum: Double(range.lowerBound),
            maximum: Double(range.upperBound),
            step: step.map(Double.init),
            unit: unit
        )
    }

    /// A number within a closed range.
    public static func number(_ range: ClosedRange<Double>, step: Double? = nil, unit: String? = nil) -> DataSchema {
        DataSchema(type: .number, minimum: range.lowerBound, maximum: range.upperBound, step: step, unit: unit)
    }

    /// One of a list of strings.
    public static func choice(_ values: [String]) -> DataSchema { DataSchema(type: .string, choices: values) }

    /// A string of at most `maxLength` bytes.
    public static func string(maxLength: Int? = nil) -> DataSchema { DataSchema(type: .string, maxLength: maxLength) }

    /// An object with these members and no others.
    public static func object(_ members: [Member]) -> DataSchema { DataSchema(type: .object, members: members) }

    /// An array of values of one kind.
    public static func array(of items: DataSchema) -> DataSchema { DataSchema(type: .array, items: [items]) }
}
