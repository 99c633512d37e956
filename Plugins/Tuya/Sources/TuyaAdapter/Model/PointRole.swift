import HomeModel
import TuyaProtocol

/// What the vendor's codes of data points mean for doors that do not know the vendor.
enum PointRole {
    /// The role that goes with a code, and how its raw value is read.
    struct Meaning {
        var role: Role
        var reading = PointReading.plain
    }

    /// - Source: the vendor's standard instruction sets; only codes whose meaning and type are the same everywhere.
    static func meaning(of point: DataPointSchema) -> Meaning? {
        guard let code = point.code else { return nil }
        switch point.type {
        case .bool:
            if code == "switch" || code.hasPrefix("switch_") { return Meaning(role: .power) }
        case .value(let range):
            return numeric(code, range)
        case .fault:
            return Meaning(role: .fault)
        case .enumeration(let words):
            // The vendor reports movement as one of two words.
            if code == "pir", words.contains("pir") { return Meaning(role: .motion, reading: .isWord("pir")) }
        case .string, .raw: break
        }
        return nil
    }

    private static func numeric(_ code: String, _ range: ValueRange) -> Meaning? {
        let isMilli = range.unit?.lowercased() == "ma"
        switch code {
        case "cur_power": return Meaning(role: .powerDraw)
        case "cur_voltage": return Meaning(role: .voltage)
        // Without a unit the current is in milliampere, as the standard set has it.
        case "cur_current":
            let isScaled = range.unit != nil && !isMilli
            return Meaning(role: .current, reading: isScaled ? .plain : .factor(0.001, unit: "A"))
        case "add_ele": return Meaning(role: .energy)
        case "battery_percentage", "residual_electricity", "battery": return Meaning(role: .battery)
        case "va_temperature", "temp_current": return Meaning(role: .temperature)
        case "va_humidity", "humidity_value", "humidity_current": return Meaning(role: .humidity)
        default:
            return code.hasPrefix("countdown") ? Meaning(role: .countdown) : nil
        }
    }

    /// The unit in SI symbols where the vendor writes another, or none where the code tells.
    static func unit(_ written: String?, role: Role?) -> String? {
        switch role {
        case .powerDraw?: "W"
        case .voltage?: "V"
        case .energy?: "kWh"
        case .battery?, .humidity?: "%"
        case .countdown?: "s"
        case .temperature?: written == "℉" || written == "°F" ? "°F" : "°C"
        default:
            switch written {
            case "℃": "°C"
            case "℉": "°F"
            case "度": "kWh"
            case "秒": "s"
            default: written
            }
        }
    }
}
