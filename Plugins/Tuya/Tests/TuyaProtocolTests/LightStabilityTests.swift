import JSON
import Testing
import TuyaProtocol

/// What is asked for is shown once the device confirms it, and what is shown can be sent back without changing anything.
struct LightStabilityTests {
    static let layouts: [LightLayout] = [.first, .second]

    private func lamp(_ layout: LightLayout, mode: String = "white") -> Light {
        let points: DataPoints =
            layout == .first
            ? [1: true, 2: .string(mode), 3: 200, 4: 100, 5: "ff00000000ffff"]
            : [20: true, 21: .string(mode), 22: 700, 23: 400, 24: "000003e803e8"]
        return Light(profile: LightProfile(layout: layout, type: .colourAndTunableWhite), points: points)
    }

    /// Sends a change and lets the device report what it got.
    private func confirm(_ change: LightChange, _ light: inout Light) throws -> DataPoints {
        let plan = try light.plan(change)
        _ = light.learn(plan.points)
        return plan.points
    }

    @Test("every brightness 1 … 255 is shown as asked for, in white and in colour", arguments: layouts)
    func everyBrightness(layout: LightLayout) throws {
        for mode in ["white", "colour"] {
            var light = lamp(layout, mode: mode)
            for level in 1...255 {
                let sent = try confirm(LightChange(brightness: .of255(level)), &light)
                #expect(light.state.brightness == level)
                #expect(try confirm(LightChange(brightness: .of255(level)), &light) == sent)
            }
        }
    }

    @Test("every raw brightness that a device reports survives being sent back", arguments: layouts)
    func everyRawBrightness(layout: LightLayout) throws {
        let point = try #require(LightProfile(layout: layout, type: .white).brightness)
        for raw in point.range.minimum...point.range.maximum {
            var light = lamp(layout)
            _ = light.learn([point.id: JSON(raw)])
            let shown = try #require(light.state.brightness)
            let sent = try confirm(LightChange(brightness: .of255(shown)), &light)
            #expect(sent[point.id] == JSON(raw))
            #expect(light.state.brightness == shown)
        }
    }

    @Test("every Kelvin of the range is shown as asked for", arguments: layouts)
    func everyKelvin(layout: LightLayout) throws {
        for direction in [ColourTemperature.Direction.warmAtMinimum, .warmAtMaximum] {
            var light = lamp(layout)
            var profile = light.profile
            profile.temperature.direction = direction
            light = Light(profile: profile, points: [1: true, 20: true])
            var last: Int?
            for kelvin in 2700...6500 {
                let sent = try confirm(LightChange(temperature: .kelvin(kelvin)), &light)
                let shown = light.state.temperature
                let again = try confirm(LightChange(temperature: .kelvin(kelvin)), &light)
                let raw = profile.temperaturePoint.flatMap { sent[$0]?.intValue } ?? -1
                let isMonotonic = last.map { direction == .warmAtMinimum ? raw >= $0 : raw <= $0 } ?? true
                guard shown == kelvin, again == sent, raw >= 0, isMonotonic else {
                    Issue.record(
                        "\(kelvin) K is sent as \(sent), then \(again), and shown as \(String(describing: shown))"
                    )
                    return
                }
                last = raw
            }
        }
    }

    @Test("every raw temperature that a device reports survives being sent back", arguments: layouts)
    func everyRawTemperature(layout: LightLayout) throws {
        let profile = LightProfile(layout: layout, type: .tunableWhite)
        let point = try #require(profile.temperaturePoint)
        for raw in profile.temperature.range.minimum...profile.temperature.range.maximum {
            var light = lamp(layout)
            _ = light.learn([point: JSON(raw)])
            let shown = try #require(light.state.temperature)
            #expect((2700...6500).contains(shown))
            #expect(try confirm(LightChange(temperature: .kelvin(shown)), &light)[point] == JSON(raw))
            #expect(light.state.temperature == shown)
        }
    }

    @Test(
        "all 360 hues × 101 saturations are shown as asked for, and read back within the encoding",
        arguments: layouts
    )
    func everyColour(layout: LightLayout) throws {
        let point = layout == .first ? 5 : 24
        var light = lamp(layout, mode: "colour")
        for hue in 0..<360 {
            for saturation in 0...100 {
                let asked = LightState.Colour(hue: Double(hue), saturation: Double(saturation))
                let colour = LightChange.Colour(hue: asked.hue, saturation: asked.saturation)
                let sent = try confirm(LightChange(colour: colour), &light)
                guard light.state.colour == asked else {
                    Issue.record("\(asked) is shown as \(String(describing: light.state.colour))")
                    return
                }
                let decoded = try #require(sent[point]?.stringValue.flatMap(ColourEncoding.decode))
                guard decoded.hue == Double(hue), abs(decoded.saturation * 100 - Double(saturation)) <= 0.2,
                    decoded.value == 1
                else {
                    Issue.record("\(asked) is written as \(decoded)")
                    return
                }
            }
        }
    }

    @Test("every reported colour survives being sent back", arguments: layouts)
    func everyRawColour(layout: LightLayout) throws {
        let point = layout == .first ? 5 : 24
        var light = lamp(layout, mode: "colour")
        let steps = layout == .first ? 255 : 1000
        for hue in stride(from: 0, to: 360, by: 7) {
            for saturation in 0...steps {
                let value = max(1, (saturation * 31 + hue) % (steps + 1))
                let raw = rawColour(layout, hue, saturation, value)
                _ = light.learn([point: .string(raw)])
                let state = light.state
                let shown = try #require(state.colour)
                let change = LightChange(
                    brightness: state.brightness.map { .of255($0) },
                    colour: LightChange.Colour(hue: shown.hue, saturation: shown.saturation)
                )
                let sent = try confirm(change, &light)
                guard sent[point] == .string(raw), light.state == state else {
                    Issue.record("\(raw) came back as \(sent) and is shown as \(light.state), before \(state)")
                    return
                }
            }
        }
    }

    private func rawColour(_ layout: LightLayout, _ hue: Int, _ saturation: Int, _ value: Int) -> String {
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number, radix: 16)
            return String(repeating: "0", count: count - text.count) + text
        }
        if layout == .second { return digits(hue, 4) + digits(saturation, 4) + digits(value, 4) }
        // The red, green and blue of a device need not be ours.
        return "123456" + digits(hue, 4) + digits(saturation, 2) + digits(value, 2)
    }

    @Test("a whole state that is sent back changes nothing, in every mode", arguments: layouts)
    func wholeState(layout: LightLayout) throws {
        let base: DataPoints =
            layout == .first
            ? [1: true, 2: "white", 3: 77, 4: 201, 5: "12345600a1407f"]
            : [20: true, 21: "white", 22: 333, 23: 777, 24: "00a1014902f3", 25: "0b0e0d0000000000000000c803e8", 26: 0]
        var profile = LightProfile(layout: layout, type: .colourAndTunableWhite)
        profile.growsByReports = true
        for mode in ["white", "colour", "scene", "music", "scene_2"] {
            for power in [true, false] {
                var points = base
                points[profile.switchPoint] = .bool(power)
                points[layout == .first ? 2 : 21] = .string(mode)
                var light = Light(profile: profile, points: points)
                let state = light.state
                let change = LightChange(
                    power: state.power,
                    brightness: state.brightness.map { .of255($0) },
                    temperature: state.temperature.map { .kelvin($0) },
                    colour: state.colour.map { LightChange.Colour(hue: $0.hue, saturation: $0.saturation) },
                    mode: state.mode,
                    effect: state.effect,
                    countdown: state.countdown
                )
                let plan = try light.plan(change)
                for (id, value) in plan.points { #expect(points[id] == value, "point \(id) in mode \(mode)") }
                #expect(plan.ignored.isEmpty)
                #expect(plan.deferred.isEmpty)
                #expect(light.pendingColour == nil)
            }
        }
    }
}
