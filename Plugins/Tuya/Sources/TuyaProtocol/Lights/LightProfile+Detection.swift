internal import JSON

extension LightProfile {
    /// Whether the values of a device look like those of a light, and of which kind.
    ///
    /// A guess for devices without a schema; the schema wins. Source: protocol description, section 5.2.
    package static func detect(_ points: DataPoints) -> LightProfile? {
        guard let layout = layout(of: points) else { return nil }
        var profile = LightProfile(layout: layout, type: .colour)
        // The kind is what shows itself, nothing is supposed.
        profile.modePoint = nil
        profile.colour = nil
        profile.growsByReports = true
        profile.grow(with: points)
        if layout == .first {
            profile.effects = profile.sceneModes(among: untoldScenes)
        }
        return profile
    }

    private static func layout(of points: DataPoints) -> LightLayout? {
        let (first, twentieth) = (points[1], points[20])
        if first != nil, twentieth != nil { return nil }
        if twentieth?.boolValue != nil {
            // A lamp with one white may lack the mode.
            return points[21]?.stringValue != nil || points[22]?.intValue != nil ? .second : nil
        }
        guard first?.boolValue != nil, let second = points[2] else { return nil }
        if let mode = second.stringValue { return isLightMode(mode) ? .first : nil }
        return second.intValue != nil ? .third : nil
    }

    /// Other appliances have a mode in point 2 as well.
    private static func isLightMode(_ text: String) -> Bool {
        [LightMode.white, LightMode.vendorColour, LightMode.music].contains(text) || text.hasPrefix("scene")
    }

    /// The profile that a product's schema describes, if it is a light's.
    package init?(schema: DeviceSchema) {
        guard
            let power = schema.point(code: "switch_led", "led_switch", "switch_led_1", "switch", "switch_1"),
            power.type == .bool
        else { return nil }
        let brightness = schema.point(code: "bright_value_v2", "bright_value", "bright_value_1")
        let colour = schema.point(code: "colour_data_v2", "colour_data")
        let temperature = schema.point(code: "temp_value_v2", "temp_value")
        guard brightness != nil || colour != nil || temperature != nil && power.code == "switch_led" else { return nil }

        let layout: LightLayout =
            if power.id == LightLayout.second.switchPoint {
                .second
            } else {
                brightness?.id == LightLayout.third.brightness.id ? .third : .first
            }
        self.init(layout: layout, type: .colour)
        switchPoint = power.id
        self.brightness = brightness.flatMap(Self.number)
        let temperatureNumber = temperature.flatMap(Self.number)
        temperaturePoint = temperatureNumber?.id
        if let range = temperatureNumber?.range { self.temperature.range = range }
        self.colour = colour.map { ColourPoint(id: $0.id, encoding: Self.encoding($0)) }
        countdown = schema.point(code: "countdown", "countdown_1", "countdown_led").flatMap(Self.number)
        musicPoint = schema.point(code: "music_data")?.id
        controlPoint = schema.point(code: "control_data")?.id
        readModes(schema)
    }

    private mutating func readModes(_ schema: DeviceSchema) {
        let mode = schema.point(code: "work_mode")
        modePoint = mode?.id
        if case .enumeration(let modes)? = mode?.type { vendorModes = modes }
        scenePoint = schema.point(code: "scene_data_v2")?.id
        if modePoint == nil {
            effects = []
        } else if scenePoint != nil {
            effects = LightEffect.standard
        } else {
            effects = sceneModes(among: vendorModes)
        }
    }

    /// The modes of generation 1 that play a scene, where no schema names them.
    static let untoldScenes = ["scene_1", "scene_2", "scene_3", "scene_4"]

    func sceneModes(among modes: [String]) -> [LightEffect] {
        guard modePoint != nil else { return [] }
        return modes.filter { $0.hasPrefix("scene_") }.map { LightEffect(name: $0, selection: .mode($0)) }
    }

    private static func number(_ point: DataPointSchema) -> NumberPoint? {
        guard case .value(let range) = point.type else { return nil }
        return NumberPoint(id: point.id, range: range)
    }

    private static func encoding(_ point: DataPointSchema) -> ColourEncoding {
        point.code == "colour_data_v2" || point.id == LightLayout.second.colour?.id ? .second : .first
    }
}
