public import JSON

/// The properties that one `set` wants changed, checked against a device's description.
public struct DeviceCommand: Equatable, Sendable {
    /// What to write, by property, in the caller's order.
    public var values: JSONObject
    /// Keys that were left out because the device has nothing like them.
    public var ignored: [String]

    /// Checks the payload of a `set`.
    ///
    /// All is checked before anything is done: one wrong property refuses the whole command.
    /// - Parameter payload: properties, and the keys of ``CommandOption``.
    /// - Throws: `property_unknown`, `read_only`, `expert_only`, `value_out_of_range`, `bad_request` (also where nothing is
    ///   left to write).
    public init(_ payload: JSONObject, for device: DeviceDescription) throws(CommandError) {
        values = JSONObject()
        ignored = []
        let range: RangePolicy = payload[CommandOption.clamp]?.boolValue == true ? .clamp : .refuse
        let isExpert = payload[CommandOption.expert]?.boolValue == true
        for (key, value) in payload where !CommandOption.names.contains(key) {
            guard let property = device.property(key) else {
                guard key == CommandOption.transition else { throw Self.unknown(key, device) }
                ignored.append(key)
                continue
            }
            guard property.access != .readOnly else {
                throw CommandError(.readOnly, "\(key) is reported by the device and cannot be set.")
            }
            guard isExpert || !property.isExpertOnly else {
                throw CommandError(
                    .expertOnly,
                    "\(key) is a data point without a schema.",
                    hint: "Give \"expert\": true if you know what the device does with it."
                )
            }
            values[key] = try property.schema.validate(value, at: key, range: range)
        }
        guard !values.isEmpty else {
            throw CommandError(
                .badRequest,
                "The command names no property to set.",
                hint: "Example: {\"power\": true}. Properties: \(Self.settable(device))."
            )
        }
    }

    private static func unknown(_ key: String, _ device: DeviceDescription) -> CommandError {
        CommandError(
            .propertyUnknown,
            "The device has no property \"\(key.prefix(64))\".",
            hint: "Properties: \(settable(device))."
        )
    }

    private static func settable(_ device: DeviceDescription) -> String {
        device.properties.filter { $0.access != .readOnly && !$0.isExpertOnly }.map(\.name).joined(separator: ", ")
    }
}
