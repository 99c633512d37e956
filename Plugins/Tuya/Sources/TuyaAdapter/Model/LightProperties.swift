import HomeModel
import JSON
import TuyaProtocol

/// A lamp's properties in the gateway's vocabulary.
enum LightProperties {
    static let names = Set(LightProperty.allCases.map(\.rawValue))

    // MARK: Description

    static func descriptions(_ profile: LightProfile) -> [PropertyDescription] {
        var list = [PropertyDescription("power", title: "Power", role: .power, schema: .boolean)]
        if profile.brightness != nil || profile.colour != nil {
            list.append(
                PropertyDescription("brightness", title: "Brightness", role: .brightness, schema: .integer(0...255))
            )
        }
        if profile.modePoint != nil {
            list.append(
                PropertyDescription("mode", title: "Mode", role: .lightMode, schema: .choice(profile.modes))
            )
        }
        if profile.temperaturePoint != nil {
            let kelvin = profile.temperature.kelvin
            list.append(
                PropertyDescription(
                    "color_temp",
                    title: "Color temperature",
                    role: .colorTemperature,
                    schema: .integer(kelvin, unit: "K")
                )
            )
        }
        if profile.colour != nil {
            list.append(PropertyDescription("color", title: "Color", role: .color, schema: color))
        }
        if !profile.effects.isEmpty, profile.modePoint != nil {
            let names = profile.effects.map(\.name)
            list.append(PropertyDescription("effect", title: "Scene", role: .effect, schema: .choice(names)))
        }
        if let countdown = profile.countdown {
            let range = 0...countdown.range.maximum
            list.append(
                PropertyDescription(
                    "countdown",
                    title: "Countdown",
                    role: .countdown,
                    schema: .integer(range, unit: "s")
                )
            )
        }
        return list
    }

    /// Hue in degrees and saturation in percent; either may be set alone.
    private static let color = DataSchema.object([
        DataSchema.Member("h", .number(0...360, unit: "°"), isRequired: false),
        DataSchema.Member("s", .number(0...100, unit: "%"), isRequired: false),
    ])

    // MARK: State

    /// What is different in `after`, or all of it where there is no `before`.
    static func write(_ after: LightState, since before: LightState?, into state: inout JSONObject) {
        guard after != before else { return }
        if let power = after.power, power != before?.power { state["power"] = .bool(power) }
        if let level = after.brightness, level != before?.brightness { state["brightness"] = JSON(level) }
        if let mode = after.mode, mode != before?.mode { state["mode"] = .string(mode) }
        if let kelvin = after.temperature, kelvin != before?.temperature { state["color_temp"] = JSON(kelvin) }
        if let colour = after.colour, colour != before?.colour {
            state["color"] = ["h": .number(colour.hue), "s": .number(colour.saturation)]
        }
        if let effect = after.effect, effect != before?.effect { state["effect"] = .string(effect) }
        if let seconds = after.countdown, seconds != before?.countdown { state["countdown"] = JSON(seconds) }
    }

    /// Only one property, if it is known.
    static func write(_ state: LightState, only name: String, into object: inout JSONObject) {
        var whole = JSONObject()
        write(state, since: nil, into: &whole)
        if let value = whole[name] { object[name] = value }
    }

    // MARK: Commands

    /// Takes a lamp's properties out of a command.
    ///
    /// - Returns: nil where the command names none.
    static func change(_ values: JSONObject) throws(CommandError) -> LightChange? {
        var change = LightChange()
        var isEmpty = true
        for (name, value) in values {
            guard let property = LightProperty(rawValue: name) else { continue }
            isEmpty = false
            switch property {
            case .power: change.power = try require(value.boolValue, name, "true or false")
            case .brightness: change.brightness = .of255(try require(value.intValue, name, "a whole number"))
            case .mode: change.mode = try require(value.stringValue, name, "a string")
            case .temperature: change.temperature = .kelvin(try require(value.intValue, name, "a whole number"))
            case .colour:
                let object = try require(value.objectValue, name, "an object with h and s")
                change.colour = LightChange.Colour(hue: object["h"]?.doubleValue, saturation: object["s"]?.doubleValue)
            case .effect: change.effect = try require(value.stringValue, name, "a string")
            case .countdown: change.countdown = try require(value.intValue, name, "a whole number")
            }
        }
        return isEmpty ? nil : change
    }

    private static func require<Value>(_ value: Value?, _ name: String, _ kind: String) throws(CommandError) -> Value {
        guard let value else { throw CommandError(.badRequest, "\(name) must be \(kind).") }
        return value
    }

    static func error(_ error: LightError) -> CommandError {
        switch error {
        case .unsupported(let property):
            CommandError(.capabilityMissing, "The lamp has no \(property.rawValue).")
        case .unknownValue(let property, let value):
            CommandError(.valueOutOfRange, "\(property.rawValue) cannot be \"\(value.prefix(64))\".")
        }
    }
}
