/// What a data point holds.
package enum DataPointType: Hashable, Sendable {
    case bool
    case value(ValueRange)
    /// One of the texts; empty: they are not known, any text goes.
    case enumeration([String])
    /// A bitmap in an integer: bit n set means that fault n, from 0, is present; bits may lack a label.
    case fault(labels: [String])
    case string(maximumLength: Int?)
    /// Bytes as base64, on older firmware as hex.
    case raw(maximumLength: Int?)

    /// The vendor's word for it.
    package var name: String {
        switch self {
        case .bool: "bool"
        case .value: "value"
        case .enumeration: "enum"
        case .fault: "bitmap"
        case .string: "string"
        case .raw: "raw"
        }
    }
}
