import DeviceInterface
import EventLoop
import HomeModel
import JSON
import Simulators
import Testing
import TuyaAdapter
import TuyaProtocol

@Suite("Simulated lamps", .timeLimit(.minutes(1)))
@Loop
struct LampControlTests {
    @Test(
        "a lamp of each version is described, tells its state, and is commanded and confirmed",
        arguments: ProtocolVersion.supported
    )
    func everyVersion(version: ProtocolVersion) async throws {
        try await withLamp(version) { lamp, rig, id in
            await rig.host.untilOnline(id)
            let description = try #require(rig.host.descriptions[id])
            #expect(description.kind == .light)
            #expect(description.name == "Desk lamp")
            await rig.host.until(id, shows: ["power": true, "mode": "white", "brightness": 255])
            try await rig.confirm(id, ["power": false])
            try await rig.confirm(id, ["power": true, "brightness": 100])
            try await rig.confirm(
                id,
                ["color": ["h": 240, "s": 100]],
                shows: ["color": ["h": 240, "s": 100], "mode": "color"]
            )
            #expect(lamp.values[24] == "00f003e80188" || lamp.values[24]?.stringValue?.hasPrefix("00f003e8") == true)
            try await rig.confirm(id, ["color_temp": 4000], shows: ["color_temp": 4000, "mode": "white"])
            try await rig.confirm(id, ["effect": "night"], shows: ["effect": "night", "mode": "scene"])
            try await rig.confirm(id, ["mode": "white"])
        }
    }

    @Test("every property of every type and numbering is written and confirmed")
    func everyType() async throws {
        for type in LightType.allCases {
            for generation in LightGeneration.allCases {
                try await withLamp(.v33, .light(type, generation)) { lamp, rig, id in
                    await rig.host.untilOnline(id)
                    let description = try #require(rig.host.descriptions[id])
                    #expect(!description.properties.isEmpty, "\(lamp.product.name)")
                    for property in description.properties where property.access == .readWrite && !property.isExpertOnly
                    {
                        for value in samples(property) {
                            let result = await rig.write(id, ["power": true, property.name: value])
                            guard case .success = result else {
                                Issue.record("\(lamp.product.name): \(property.name) = \(value): \(result)")
                                continue
                            }
                            await rig.host.until(id, shows: [property.name: value])
                        }
                    }
                }
            }
        }
    }

    /// Values worth trying of a property.
    private func samples(_ property: PropertyDescription) -> [JSON] {
        if let choices = property.schema.choices { return choices.filter { $0 != "music" }.map { .string($0) } }
        switch property.name {
        case "power": return [true]
        case "brightness": return [1, 128, 255]
        case "color_temp": return [2700, 3333, 6500]
        case "color": return [["h": 0, "s": 100], ["h": 211, "s": 37], ["h": 359, "s": 3]]
        case "countdown": return [3600, 0]
        default: return []
        }
    }

    @Test("only what changed is told, and everything after a reconnect")
    func changesOnly() async throws {
        try await withLamp { lamp, rig, id in
            await rig.host.untilOnline(id)
            let before = rig.host.reports.count
            lamp.report([22: 505])
            await rig.host.until { $0.reports.count > before }
            #expect(rig.host.reports.last?.state.count == 1)
            #expect(rig.host.reports.last?.state["brightness"] == 129)
            lamp.report([22: 505])
            lamp.report([20: false])
            await rig.host.until(id, shows: ["power": false])
            #expect(rig.host.reports.count == before + 2, "a report of nothing new is not told")
            lamp.drop()
            await rig.host.until { $0.connectivity[id]?.isOnline == false }
            await rig.host.untilOnline(id)
            #expect((rig.host.reports.last?.state.count ?? 0) > 4)
        }
    }

    @Test("quirk 9: partial reports are merged", arguments: [ProtocolVersion.v31, .v33, .v34, .v35])
    func partialReports(version: ProtocolVersion) async throws {
        try await withLamp(version, prepare: { $0.faults.splitsReports = true }) { lamp, rig, id in
            await rig.host.untilOnline(id)
            try await rig.confirm(id, ["color": ["h": 120, "s": 50], "brightness": 77, "power": true])
            #expect(rig.host.states[id]?["color_temp"] != nil)
        }
    }

    @Test("quirk 33: colour and brightness together go out in one message, the brightness in the colour")
    func together() async throws {
        try await withLamp { lamp, rig, id in
            await rig.host.untilOnline(id)
            let sets = lamp.counts.sets
            try await rig.confirm(id, ["color": ["h": 0, "s": 100], "brightness": 51])
            #expect(lamp.counts.sets == sets + 1)
            #expect(lamp.values[24] == "000003e800c8")
        }
    }

    @Test("quirk 32, quirk 35: brightness is sent with the mode, in the channel that the mode uses")
    func modeAlong() async throws {
        try await withLamp { lamp, rig, id in
            await rig.host.untilOnline(id)
            try await rig.confirm(id, ["mode": "color"])
            let white = lamp.values[22]
            try await rig.confirm(id, ["brightness": 30])
            #expect(lamp.values[22] == white)
            #expect(lamp.values[21] == "colour")
            // In colour mode the other channel's report is not what is shown.
            lamp.report([22: 10])
            lamp.report([20: true])
            #expect(rig.host.states[id]?["brightness"] == 30)
        }
    }

    @Test("quirk 34: colours are written in the numbering's own encoding")
    func encodings() async throws {
        for (generation, expected) in [(LightGeneration.first, "0000ff00f0ffff"), (.second, "00f003e803e8")] {
            try await withLamp(.v33, .light(.rgbcw, generation)) { lamp, rig, id in
                await rig.host.untilOnline(id)
                try await rig.confirm(id, ["color": ["h": 240, "s": 100], "brightness": 255])
                #expect(lamp.values[generation == .first ? 5 : 24] == .string(expected))
            }
        }
    }

    @Test("brightness 0 switches off, and is the minimum where the lamp is to be on")
    func brightnessZero() async throws {
        try await withLamp { lamp, rig, id in
            await rig.host.untilOnline(id)
            try await rig.confirm(id, ["brightness": 200])
            let raw = lamp.values[22]
            try await rig.confirm(id, ["brightness": 0], shows: ["power": false, "brightness": 0])
            #expect(lamp.values[20] == false)
            #expect(lamp.values[22] == raw)
            try await rig.confirm(id, ["power": true], shows: ["power": true, "brightness": 200])
            // The smallest step is 1 %, and that is what is shown; so the adapter itself sees to the confirmation.
            #expect(await rig.write(id, ["power": true, "brightness": 0]) == .success(.confirmed))
            await rig.host.until(id, shows: ["brightness": 3])
            #expect(lamp.values[20] == true)
            #expect(lamp.values[22] == 10)
        }
    }

    @Test("a colour for a lamp that is off is kept, shown, and used at the next switch-on")
    func colourWhileOff() async throws {
        try await withLamp { lamp, rig, id in
            await rig.host.untilOnline(id)
            try await rig.confirm(id, ["power": false])
            let sets = lamp.counts.sets
            let colour = lamp.values[24]
            try await rig.confirm(id, ["color": ["h": 300, "s": 80]])
            #expect(lamp.counts.sets == sets)
            #expect(lamp.values[20] == false && lamp.values[24] == colour)
            #expect(rig.host.states[id]?["power"] == false)
            try await rig.confirm(
                id,
                ["power": true],
                shows: ["power": true, "mode": "color", "color": ["h": 300, "s": 80]]
            )
            #expect(lamp.values[24]?.stringValue?.hasPrefix("012c0320") == true)
        }
    }

    @Test("a colour that was kept is also used when somebody else switches the lamp on")
    func switchedOnByHand() async throws {
        try await withLamp { lamp, rig, id in
            await rig.host.untilOnline(id)
            try await rig.confirm(id, ["power": false])
            try await rig.confirm(id, ["color": ["h": 60, "s": 100]])
            lamp.report([20: true])
            await rig.host.until(id, shows: ["power": true, "mode": "color"])
            #expect(lamp.values[24]?.stringValue?.hasPrefix("003c03e8") == true)
        }
    }

    @Test("quirk 36: late copies of old values do not make the state bounce")
    func lateCopies() async throws {
        var timing = quickTiming.objectValue ?? [:]
        timing["settle_ms"] = 1500
        try await withLamp(timing: .object(timing), prepare: { $0.faults.lateCopyDelay = .milliseconds(60) }) {
            lamp,
            rig,
            id in
            await rig.host.untilOnline(id)
            try await rig.confirm(id, ["brightness": 100])
            let queries = lamp.counts.queries
            // After the late copy the device is asked; until then nothing has bounced.
            await lamp.until { $0.counts.queries > queries }
            let told = rig.host.reports.compactMap { $0.state["brightness"]?.intValue }
            #expect(told == [255, 100])
        }
    }

    @Test("a state that is sent back unchanged changes nothing")
    func unchanged() async throws {
        for raw in [11, 333, 505, 999] {
            try await withLamp(prepare: { $0.change([22: JSON(raw), 23: JSON(raw)]) }) { lamp, rig, id in
                await rig.host.untilOnline(id)
                var state = try #require(rig.host.states[id])
                state["effect"] = nil
                state["countdown"] = nil
                state["do_not_disturb"] = nil
                for key in state.keys where key.hasPrefix("dp_") { state[key] = nil }
                let before = lamp.values
                _ = try await rig.write(id, state).get()
                #expect(lamp.values == before)
            }
        }
    }

    @Test("reading asks the device")
    func reading() async throws {
        try await withLamp { lamp, rig, id in
            await rig.host.untilOnline(id)
            lamp.change([20: false])
            let state = try await rig.read(id, ["power", "mode"]).get()
            #expect(state == ["power": false, "mode": "white"])
        }
    }

    @Test("a plug's data points are properties with roles, units and scales")
    func plug() async throws {
        let schema: JSON = [
            ["id": 1, "code": "switch_1", "mode": "rw", "property": ["type": "bool"]],
            ["id": 9, "code": "countdown_1", "mode": "rw", "property": ["type": "value", "min": 0, "max": 86400]],
            [
                "id": 18, "code": "cur_current", "mode": "ro",
                "property": ["type": "value", "min": 0, "max": 30000, "unit": "mA"],
            ],
            [
                "id": 19, "code": "cur_power", "mode": "ro",
                "property": ["type": "value", "min": 0, "max": 80000, "scale": 1, "unit": "W"],
            ],
            [
                "id": 20, "code": "cur_voltage", "mode": "ro",
                "property": ["type": "value", "min": 0, "max": 5000, "scale": 1, "unit": "V"],
            ],
            [
                "id": 26, "code": "fault", "mode": "ro",
                "property": ["type": "bitmap", "label": ["ov_cr", "ov_vol", "ov_pwr"]],
            ],
            [
                "id": 38, "code": "relay_status", "mode": "rw",
                "property": ["type": "enum", "range": ["off", "on", "memory"]],
            ],
            ["id": 42, "code": "cycle_time", "mode": "rw", "property": ["type": "string", "maxlen": 255]],
        ]
        try await withLamp(.v34, .meteringPlug, device: ["schema": schema]) { lamp, rig, id in
            await rig.host.untilOnline(id)
            let description = try #require(rig.host.descriptions[id])
            #expect(description.kind == .plug)
            #expect(description.property("switch_1")?.role == .power)
            #expect(description.property("cur_power")?.role == .powerDraw)
            #expect(description.property("cur_power")?.schema.unit == "W")
            #expect(description.property("cur_power")?.access == .readOnly)
            await rig.host.until(
                id,
                shows: ["cur_power": 39.6, "cur_voltage": 231.2, "cur_current": 0.174, "switch_1": true]
            )
            lamp.report([26: 5])
            await rig.host.until(id, shows: ["fault": ["ov_cr", "ov_pwr"]])
            try await rig.confirm(id, ["switch_1": false])
            try await rig.confirm(id, ["relay_status": "off", "cycle_time": "abc"])
            let unknown = description.property("dp_17") ?? rig.host.descriptions[id]?.property("dp_17")
            #expect(unknown?.isExpertOnly == true, "a data point beyond the schema is for experts")
            guard case .failure(let error) = await rig.write(id, ["cur_power": 3]) else { return #expect(Bool(false)) }
            #expect(error.code == .readOnly)
        }
    }

    @Test("quirk 10, quirk 42: a data point that shows itself later becomes a property then, and stays")
    func laterPoint() async throws {
        try await withLamp(.v33, .meteringPlug) { lamp, rig, id in
            await rig.host.untilOnline(id)
            #expect(rig.host.descriptions[id]?.property("dp_43") == nil)
            lamp.report([43: "AAEC"])
            await rig.host.until { $0.states[id]?["dp_43"] == "AAEC" }
            let property = try #require(rig.host.descriptions[id]?.property("dp_43"))
            #expect(property.isExpertOnly && property.schema.type == .string)
            try await rig.confirm(id, ["dp_43": "AAEE"])
            lamp.drop()
            await rig.host.until { $0.connectivity[id]?.isOnline == false }
            await rig.host.untilOnline(id)
            #expect(rig.host.descriptions[id]?.property("dp_43") != nil)
        }
    }
}
