import JSON
import Testing
import TuyaProtocol

struct LightVectorTests {
    private func encoding(_ vector: Vector) throws -> ColourEncoding {
        try vector.int("generation") == 1 ? .first : .second
    }

    private func profile(_ vector: Vector) throws -> LightProfile {
        LightProfile(
            layout: try #require(LightLayout(rawValue: try vector.int("generation"))),
            type: try #require(LightKind(rawValue: try vector.text("type"))),
            extraPoints: vector["extra_dps"]?.arrayValue?.compactMap { $0.intValue ?? Int($0.stringValue ?? "") } ?? []
        )
    }

    @Test("a colour has its text", arguments: VectorFile.vectors(of: "colour_encode"))
    func colourEncode(_ vector: Vector) throws {
        let colour = HSV(
            hue: try vector.number("h"),
            saturation: try vector.number("s"),
            value: try vector.number("v")
        )
        #expect(try encoding(vector).encode(colour) == vector.text("expect"))
    }

    @Test("a text has its colour, or is refused", arguments: VectorFile.vectors(of: "colour_decode"))
    func colourDecode(_ vector: Vector) throws {
        let colour = ColourEncoding.decode(try vector.text("string"))
        guard let expected = vector["expect"]?.objectValue.map({ Vector(json: .object($0)) }) else {
            #expect(colour == nil)
            return
        }
        let decoded = try #require(colour)
        #expect(abs(decoded.hue - (try expected.number("h"))) <= 0.5)
        #expect(abs(decoded.saturation - (try expected.number("s"))) <= 0.001)
        #expect(abs(decoded.value - (try expected.number("v"))) <= 0.001)
    }

    @Test("brightness in percent is converted both ways", arguments: VectorFile.vectors(of: "brightness"))
    func brightness(_ vector: Vector) throws {
        let range = ValueRange(minimum: try vector.int("min"), maximum: try vector.int("max"))
        if try vector.text("op") == "encode" {
            let raw = Brightness.raw(try vector.number("percent") / 100, in: range)
            #expect(raw == (try vector.int("expect")))
        } else {
            #expect(Brightness.percent(try vector.int("value"), in: range) == (try vector.int("expect")))
        }
    }

    @Test("a temperature fraction is truncated to its value", arguments: VectorFile.vectors(of: "temperature"))
    func temperature(_ vector: Vector) throws {
        let range = ValueRange(minimum: try vector.int("min"), maximum: try vector.int("max"))
        let raw = ColourTemperature(range: range).raw(fraction: try vector.number("fraction"))
        #expect(raw == (try vector.int("expect")))
    }

    @Test("a command becomes one message", arguments: VectorFile.vectors(of: "light_command"))
    func command(_ vector: Vector) throws {
        var light = Light(profile: try profile(vector), points: DataPoints(object: try vector.object("state")))
        let change = try change(vector.nested("command"))
        let sent: DataPoints
        do throws(LightError) {
            sent = try light.plan(change).points
        } catch {
            // What the lamp cannot do is an error for the caller, and nothing is sent.
            sent = [:]
        }
        #expect(sent == DataPoints(object: try vector.object("expect")))
    }

    private func change(_ command: Vector) throws -> LightChange {
        func percent(_ key: String) -> Double? { command[key]?.doubleValue.map { $0 * 100 } }
        let on = command["on"]?.boolValue
        switch try command.text("op") {
        case "switch": return LightChange(power: on)
        case "brightness": return LightChange(power: on, brightness: .percent(try command.number("percent")))
        case "temperature": return LightChange(power: on, temperature: .fraction(try command.number("fraction")))
        case "colour":
            let colour = LightChange.Colour(
                hue: command["h"]?.doubleValue,
                saturation: percent("s"),
                value: percent("v")
            )
            return LightChange(power: on, colour: colour)
        case "saturation": return LightChange(power: on, colour: LightChange.Colour(saturation: percent("s")))
        case "mode": return LightChange(power: on, mode: try command.text("mode"))
        case let other: return try #require(nil as LightChange?, "operation \(other)")
        }
    }

    @Test("a report changes what is in it", arguments: VectorFile.vectors(of: "light_report"))
    func report(_ vector: Vector) throws {
        let profile = try profile(vector)
        var light = Light(profile: profile, points: try points(for: vector.nested("state"), profile))
        _ = light.learn(DataPoints(object: try vector.object("dps")))
        let expected = try vector.nested("expect")
        let state = light.state
        if let on = expected["on"]?.boolValue { #expect(state.power == on) }
        if let mode = expected["mode"]?.stringValue { #expect(state.mode == LightMode.name(vendor: mode)) }
        if let brightness = expected["brightness"]?.intValue { #expect(light.percent == brightness) }
        if let fraction = expected["temperature"]?.doubleValue {
            #expect(abs(try #require(light.temperatureFraction) - fraction) <= 0.001)
        }
        if let hue = expected["hue"]?.doubleValue { #expect(state.colour?.hue == hue) }
        if let saturation = expected["saturation"]?.doubleValue {
            #expect(abs(try #require(state.colour?.saturation) - saturation * 100) <= 0.5)
        }
    }

    /// The raw values that a state in the vector's scales stands for.
    private func points(for state: Vector, _ profile: LightProfile) throws -> DataPoints {
        var points = DataPoints()
        if let on = state["on"]?.boolValue { points[profile.switchPoint] = .bool(on) }
        if let mode = state["mode"]?.stringValue, let point = profile.modePoint { points[point] = .string(mode) }
        let isColour = state["mode"]?.stringValue == "colour" || profile.brightness == nil
        let percent = state["brightness"]?.doubleValue
        if !isColour, let percent, let point = profile.brightness {
            points[point.id] = JSON(Brightness.raw(percent / 100, in: point.range))
        }
        if let fraction = state["temperature"]?.doubleValue, let point = profile.temperaturePoint {
            points[point] = JSON(profile.temperature.raw(fraction: fraction))
        }
        if let hue = state["hue"]?.doubleValue, let point = profile.colour {
            let colour = HSV(
                hue: hue,
                saturation: state["saturation"]?.doubleValue ?? 1,
                value: isColour ? (percent ?? 100) / 100 : 1
            )
            points[point.id] = .string(point.encoding.encode(colour))
        }
        return points
    }

    @Test("scene data is read, and written as it was", arguments: VectorFile.vectors(of: "scene"))
    func scene(_ vector: Vector) throws {
        let scene = LightScene(try vector.text("string"))
        guard vector["expect"]?.objectValue != nil else {
            #expect(scene == nil)
            return
        }
        let expected = try vector.nested("expect")
        let decoded = try #require(scene)
        #expect(decoded.number == (try expected.int("scene")))
        #expect(try decoded.encoded == vector.text("string").lowercased())
        let units = decoded.units.map { unit -> JSON in
            [
                "interval": JSON(unit.interval), "time": JSON(unit.time), "change": JSON(unit.changeNumber),
                "h": JSON(unit.hue), "s": JSON(unit.saturation), "v": JSON(unit.value), "bright": JSON(unit.brightness),
                "temp": JSON(unit.temperature),
            ]
        }
        #expect(.array(units) == expected["units"])
    }

    @Test("control data is written", arguments: VectorFile.vectors(of: "control_data"))
    func controlData(_ vector: Vector) throws {
        let data = ControlData(
            change: vector["gradient"]?.boolValue == true ? .fade : .direct,
            hue: try vector.int("h"),
            saturation: try vector.int("s"),
            value: try vector.int("v"),
            brightness: try vector.int("bright"),
            temperature: try vector.int("temp")
        )
        #expect(try data.encoded == vector.text("expect"))
    }
}
