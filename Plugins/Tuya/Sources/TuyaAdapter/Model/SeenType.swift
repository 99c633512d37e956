package import JSON
import TuyaProtocol

/// The type of a data point that nobody described, as its first value shows it.
package enum SeenType: String, Sendable, CaseIterable {
    case bool
    case value
    case string
    /// A text that names a mode of a lamp, such as `white`.
    case lightMode = "mode"

    /// nil for values that no data point has.
    package init?(_ value: JSON) {
        switch value {
        case .bool: self = .bool
        case .integer, .unsigned: self = .value
        case .string(let text): self = Self.isLightMode(text) ? .lightMode : .string
        case .double, .array, .object, .null: return nil
        }
    }

    private static func isLightMode(_ text: String) -> Bool {
        ["white", "colour", "music"].contains(text) || text.hasPrefix("scene")
    }

    var pointType: DataPointType {
        switch self {
        case .bool: .bool
        case .value: .value(ValueRange(minimum: Int(Int32.min), maximum: Int(Int32.max)))
        case .string, .lightMode: .string(maximumLength: nil)
        }
    }

    /// A value of the type, for finding out whether a device is a lamp.
    private var example: JSON {
        switch self {
        case .bool: false
        case .value: 0
        case .string: ""
        case .lightMode: "white"
        }
    }

    /// Which lamp's layout the points look like, if any.
    static func layout(of seen: [Int: SeenType]) -> LightLayout? { LightProfile.detect(examples(of: seen))?.layout }

    /// Values such as the points may hold.
    static func examples(of seen: [Int: SeenType]) -> DataPoints {
        var points = DataPoints()
        for (id, type) in seen { points[id] = type.example }
        return points
    }
}
