import EventLoop
import HomeModel
import JSON
import Testing
import TuyaAdapter
import TuyaProtocol

@Suite("What data points mean")
struct DeviceStateTests {
    private let now = MonotonicTime(nanoseconds: 5_000_000_000)

    private func state(_ schema: JSON, configure: (inout DeviceSettings) -> Void = { _ in }) -> DeviceState {
        var settings = DeviceSettings(id: "a")
        settings.schema = schema
        configure(&settings)
        return DeviceState(model: ProductModel(ProductModel.Source(settings, seen: [:]), settings: settings))
    }

    /// A lamp without a schema that has shown some data points.
    private func lamp(_ seen: [Int: SeenType] = [:], configure: (inout DeviceSettings) -> Void) -> DeviceState {
        var settings = DeviceSettings(id: "a")
        configure(&settings)
        return DeviceState(model: ProductModel(ProductModel.Source(settings, seen: seen), settings: settings))
    }

    private func take(_ state: inout DeviceState, _ points: DataPoints, time: Int64? = nil) -> JSONObject {
        state.take(StatusReport(points: points, time: time), at: now).state
    }

    private func plan(
        _ state: inout DeviceState,
        _ values: JSONObject,
        assuming open: DataPoints = [:]
    ) throws(CommandError) -> DataPoints {
        try state.plan(values, assuming: open, splits: false, until: now).points
    }

    @Test("every type of data point has a property of its own type, unit and access")
    func types() throws {
        let state = state([
            ["id": 1, "code": "switch", "mode": "rw", "property": ["type": "bool"]],
            [
                "id": 2, "code": "temp_set", "mode": "rw",
                "property": ["type": "value", "min": 50, "max": 350, "scale": 1, "step": 5, "unit": "℃"],
            ],
            ["id": 3, "code": "level", "mode": "rw", "property": ["type": "value", "min": 0, "max": 7]],
            ["id": 4, "code": "mode", "mode": "rw", "property": ["type": "enum", "range": ["cold", "hot"]]],
            ["id": 5, "code": "fault", "mode": "ro", "property": ["type": "bitmap", "label": ["e1", "e2"]]],
            ["id": 6, "code": "text", "mode": "wr", "property": ["type": "string", "maxlen": 8]],
            ["id": 7, "code": "Raw-Data", "mode": "ro", "type": "raw"],
            ["id": 8, "code": "expert", "mode": "rw", "property": ["type": "bool"]],
            ["id": 9, "mode": "rw", "property": ["type": "bool"]],
        ])
        let properties = Dictionary(uniqueKeysWithValues: state.properties.map { ($0.name, $0) })
        #expect(properties["switch"]?.role == .power && properties["switch"]?.schema == .boolean)
        #expect(properties["temp_set"]?.schema == .number(5...35, step: 0.5, unit: "°C"))
        #expect(properties["level"]?.schema == .integer(0...7))
        #expect(properties["mode"]?.schema == .choice(["cold", "hot"]))
        #expect(
            properties["fault"]?.schema == .array(of: .choice(["e1", "e2"])) && properties["fault"]?.role == .fault
        )
        #expect(properties["fault"]?.access == .readOnly)
        #expect(properties["text"]?.access == .writeOnly && properties["text"]?.schema.maxLength == 8)
        #expect(properties["raw_data"]?.access == .readOnly)
        #expect(properties["expert"] == nil && properties["dp_8"] != nil, "a command's own key is no property")
        #expect(properties["dp_9"]?.isExpertOnly == false, "it stands in the schema")
        for property in state.properties { _ = try PropertyDescription(property.name, json: property.json) }
    }

    @Test(
        "values come in the property's scale and go back as the device's",
        arguments: [
            (5.0, 50), (21.5, 215), (21.7, 215), (35, 350),
        ]
    )
    func scale(value: Double, raw: Int) throws {
        var state = state([
            ["id": 2, "code": "temp_set", "property": ["type": "value", "min": 50, "max": 350, "scale": 1, "step": 5]]
        ])
        #expect(try plan(&state, ["temp_set": .double(value)]) == [2: JSON(raw)])
        #expect(take(&state, [2: JSON(raw)])["temp_set"]?.doubleValue == Double(raw) / 10)
    }

    @Test("currents in milliampere are told in ampere")
    func current() {
        var state = state([
            ["id": 18, "code": "cur_current", "mode": "ro", "property": ["type": "value", "min": 0, "max": 30000]]
        ])
        #expect(take(&state, [18: 174])["cur_current"] == 0.174)
        #expect(state.properties.first?.schema.unit == "A" && state.properties.first?.role == .current)
    }

    @Test("quirk 41: phases are voltage, current and power, signed where configured")
    func phases() throws {
        let schema: JSON = [["id": 6, "code": "phase_a", "mode": "ro", "type": "raw"]]
        var state = state(schema)
        let told = take(&state, [6: "CQgAAK4AASc="])
        #expect(told == ["phase_a_voltage": 231.2, "phase_a_current": 0.174, "phase_a_power": 295])
        var signed = self.state(schema) { $0.phasePowerIsSigned = true }
        #expect(take(&signed, [6: "CQgAAK7///8="])["phase_a_power"] == -1)
        var plain = self.state([["id": 6, "code": "readings", "mode": "ro", "property": ["type": "string"]]]) {
            $0.phasePoints = [6]
        }
        #expect(take(&plain, [6: "CQgAAK4AASc="])["readings_voltage"] == 231.2)
    }

    @Test("quirk 36: a report that is seconds older than the newest is passed over")
    func late() {
        var state = state([["id": 1, "code": "switch", "property": ["type": "bool"]]])
        #expect(take(&state, [1: true], time: 1_000) == ["switch": true])
        #expect(take(&state, [1: false], time: 990).isEmpty)
        #expect(state.whole == ["switch": true])
        #expect(take(&state, [1: false], time: 1_001) == ["switch": false])
    }

    @Test("what was set is told with the next report even if it is what it was")
    func awaited() throws {
        var state = state([["id": 1, "code": "switch", "property": ["type": "bool"]]])
        _ = take(&state, [1: true])
        #expect(take(&state, [1: true]).isEmpty)
        _ = try plan(&state, ["switch": false])
        #expect(take(&state, [1: true]) == ["switch": true])
        #expect(take(&state, [1: true]).isEmpty)
    }

    @Test("after the connection was lost everything is told again")
    func stale() {
        var state = state([
            ["id": 1, "code": "switch", "property": ["type": "bool"]],
            ["id": 3, "code": "level", "property": ["type": "value"]],
        ])
        _ = take(&state, [1: true, 3: 4])
        state.becomeStale()
        #expect(take(&state, [1: true]) == ["switch": true, "level": 4])
    }

    @Test("a value of another type than the schema's is not told")
    func wrongType() {
        var state = state([["id": 1, "code": "switch", "property": ["type": "bool"]]])
        #expect(take(&state, [1: "yes"]).isEmpty)
    }

    @Test("a wrong word, a long text and a report-only point are refused")
    func refused() throws {
        var state = state([
            ["id": 4, "code": "state", "property": ["type": "enum", "range": ["a", "b"]]],
            ["id": 5, "code": "text", "property": ["type": "string", "maxlen": 3]],
            ["id": 6, "code": "power", "mode": "ro", "property": ["type": "bool"]],
        ])
        let cases: [(JSONObject, ErrorCode)] = [
            (["state": "c"], .valueOutOfRange), (["text": "long"], .valueOutOfRange), (["power": true], .readOnly),
        ]
        for (values, code) in cases {
            do throws(CommandError) {
                _ = try plan(&state, values)
                #expect(Bool(false))
            } catch { #expect(error.code == code) }
        }
    }

    @Test("commands in quick succession agree on the mode that is on its way")
    func pipelined() throws {
        var state = lamp { $0.light.kind = .colorAndTunableWhite }
        _ = take(&state, [20: true, 21: "white", 22: 1000, 24: "000003e803e8"])
        let first = try plan(&state, ["color": ["h": 120, "s": 100]])
        #expect(first[21] == "colour")
        let second = try plan(&state, ["brightness": 51], assuming: first)
        #expect(second[24] == "007803e800c8", "dimmed in the colour that is on its way")
        #expect(take(&state, [21: "colour", 24: "007803e803e8"])["mode"] == "color")
    }

    @Test("a schema's ranges and codes describe a lamp, whatever its numbers")
    func lampBySchema() throws {
        var state = state([
            ["id": 101, "code": "switch_led", "property": ["type": "bool"]],
            ["id": 102, "code": "bright_value", "property": ["type": "value", "min": 29, "max": 1000]],
            ["id": 103, "code": "countdown", "property": ["type": "value", "min": 0, "max": 86400]],
        ])
        #expect(state.properties.map(\.name) == ["power", "brightness", "countdown"])
        #expect(try plan(&state, ["brightness": 1]) == [101: true, 102: 29])
    }

    @Test("what only looks like a lamp is none where the operator says so")
    func noLamp() {
        let state = lamp([20: .bool, 21: .lightMode, 22: .value]) { $0.mayBeLight = false }
        #expect(state.properties.map(\.name) == ["dp_20", "dp_21", "dp_22"])
    }

    @Test("kelvin, direction and scenes of a lamp are the operator's")
    func lampSettings() throws {
        let sunset = "08464601007803e803e800000000"
        var state = lamp([20: .bool, 21: .lightMode, 22: .value, 23: .value, 24: .string, 25: .string]) {
            $0.light = LightSettings(
                kind: .colorAndTunableWhite,
                kelvin: 2000...5000,
                isTemperatureReversed: true,
                scenes: [LightSettings.Scene(name: "sunset", data: sunset)]
            )
        }
        let properties = state.properties
        #expect(properties.first { $0.name == "color_temp" }?.schema == .integer(2000...5000, unit: "K"))
        #expect(properties.first { $0.name == "effect" }?.schema.choices?.contains("sunset") == true)
        #expect(try plan(&state, ["color_temp": 2000])[23] == 1000)
        let points = try plan(&state, ["effect": "sunset"])
        #expect(points[25] == .string(sunset) && points[21] == "scene")
    }
}
