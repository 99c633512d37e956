internal import JSON

extension Product {
    /// A plug with metering, as an example of a product that is not a light: every type of data point, report-only
    /// measurements, a countdown and a fault bit field.
    package static let meteringPlug = Product(
        name: "plug with metering",
        category: "cz",
        productKey: "keyplugmetering1",
        points: [
            DataPoint(1, "switch_1", .bool, initial: true),
            DataPoint(9, "countdown_1", .value(minimum: 0, maximum: 86_400), initial: 0),
            DataPoint(17, "add_ele", .value(minimum: 0, maximum: 50_000), .reportOnly, initial: 31),
            DataPoint(18, "cur_current", .value(minimum: 0, maximum: 30_000), .reportOnly, initial: 174),
            DataPoint(19, "cur_power", .value(minimum: 0, maximum: 80_000), .reportOnly, initial: 396),
            DataPoint(20, "cur_voltage", .value(minimum: 0, maximum: 5_000), .reportOnly, initial: 2_312),
            DataPoint(26, "fault", .fault(labels: ["ov_cr", "ov_vol", "ov_pwr"]), .reportOnly, initial: 0),
            DataPoint(38, "relay_status", .enumeration(["off", "on", "memory"]), initial: "memory"),
            DataPoint(42, "cycle_time", .string(maximumLength: 255), initial: ""),
            DataPoint(43, "random_time", .raw(maximumLength: 255)),
        ],
        countdown: Countdown(point: 9, switches: 1)
    )
}
