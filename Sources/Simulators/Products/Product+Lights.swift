internal import JSON

extension Product {
    /// A lamp of one of the five types in one of the three numberings.
    ///
    /// - Source: tuya.md section 5.2. The third numbering is white only, whatever `type` says about colour.
    package static func light(_ type: LightType, _ generation: LightGeneration = .second) -> Product {
        switch generation {
        case .first: firstGeneration(type)
        case .second: secondGeneration(type)
        case .third: thirdGeneration(type)
        }
    }

    private static func firstGeneration(_ type: LightType) -> Product {
        var points = [DataPoint(1, "switch_led", .bool, initial: true)]
        if type.hasColor {
            let modes = (type.hasWhite ? ["white"] : []) + ["colour", "scene", "music"] + (1...4).map { "scene_\($0)" }
            let mode = type.hasWhite ? "white" : "colour"
            points.append(DataPoint(2, "work_mode", .enumeration(modes), initial: .string(mode)))
        }
        if type.hasWhite {
            points.append(DataPoint(3, "bright_value", .value(minimum: 25, maximum: 255), initial: 255))
        }
        if type.hasTemperature {
            points.append(DataPoint(4, "temp_value", .value(minimum: 0, maximum: 255), initial: 128))
        }
        if type.hasColor {
            points.append(DataPoint(5, "colour_data", .string(maximumLength: 14), initial: "ff00000000ffff"))
            points.append(DataPoint(6, "scene_data", .string(maximumLength: 255), initial: "00ff0000000000"))
            points += (1...4).map { DataPoint(6 + $0, "flash_scene_\($0)", .string(maximumLength: 255)) }
        }
        return Product(
            name: "\(type.rawValue) light, generation 1",
            category: "dj",
            productKey: "key1\(type.rawValue.lowercased())lamp",
            points: points
        )
    }

    private static func secondGeneration(_ type: LightType) -> Product {
        var points = [DataPoint(20, "switch_led", .bool, initial: true)]
        let modes = (type.hasWhite ? ["white"] : []) + (type.hasColor ? ["colour"] : []) + ["scene", "music"]
        points.append(
            DataPoint(21, "work_mode", .enumeration(modes), initial: .string(type.hasWhite ? "white" : "colour"))
        )
        if type.hasWhite {
            points.append(DataPoint(22, "bright_value_v2", .value(minimum: 10, maximum: 1000), initial: 1000))
        }
        if type.hasTemperature {
            points.append(DataPoint(23, "temp_value_v2", .value(minimum: 0, maximum: 1000), initial: 500))
        }
        if type.hasColor {
            points.append(DataPoint(24, "colour_data_v2", .string(maximumLength: 12), initial: "000003e803e8"))
        }
        points.append(
            DataPoint(25, "scene_data_v2", .string(maximumLength: 210), initial: "000e0d0000000000000000c803e8")
        )
        points.append(DataPoint(26, "countdown", .value(minimum: 0, maximum: 86_400), initial: 0))
        if type.hasColor { points.append(DataPoint(27, "music_data", .string(maximumLength: 21), .sendOnly)) }
        points.append(DataPoint(28, "control_data", .string(maximumLength: 21), .sendOnly))
        points.append(DataPoint(34, "do_not_disturb", .bool, initial: false))
        return Product(
            name: "\(type.rawValue) light, generation 2",
            category: "dj",
            productKey: "key2\(type.rawValue.lowercased())lamp",
            points: points,
            countdown: Countdown(point: 26, switches: 20)
        )
    }

    private static func thirdGeneration(_ type: LightType) -> Product {
        var points = [
            DataPoint(1, "switch_led", .bool, initial: true),
            DataPoint(2, "bright_value", .value(minimum: 25, maximum: 255), initial: 255),
        ]
        if type.hasTemperature {
            points.append(DataPoint(3, "temp_value", .value(minimum: 0, maximum: 255), initial: 128))
        }
        return Product(
            name: "\(type.rawValue) light, third layout",
            category: "dj",
            productKey: "key3\(type.rawValue.lowercased())lamp",
            points: points
        )
    }
}
