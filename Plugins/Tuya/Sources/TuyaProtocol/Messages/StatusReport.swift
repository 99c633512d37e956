internal import JSON

/// Values that a device tells, asked or by itself.
package struct StatusReport: Equatable, Sendable {
    /// At least one value, none of them `null`.
    package var points: DataPoints
    /// The child that they belong to; `nil`: the device itself.
    package var child: String?
    /// Unix time in seconds by the device's clock, if it told.
    package var time: Int64?

    /// Describes a report.
    package init(points: DataPoints, child: String? = nil, time: Int64? = nil) {
        self.points = points
        self.child = child
        self.time = time
    }

    /// Looks for `dps`, `cid` and `t` at the top first, then in `data`.
    init(points: DataPoints, object: JSONObject, data: JSONObject?) {
        self.points = points
        child = (object["cid"] ?? data?["cid"])?.stringValue
        time = Self.seconds(object["t"] ?? data?["t"])
    }

    private static func seconds(_ value: JSON?) -> Int64? {
        switch value {
        case .string(let text)?: Int64(text)
        case let value?: value.intValue.map(Int64.init)
        case nil: nil
        }
    }
}
