import EventLoop
import JSON
import MQTT
import Simulators
import Testing

@Loop
@Suite("Lamps, end to end", .timeLimit(.minutes(10)))
struct LightTests {
    /// Ten lamps: all five types in both numberings.
    private func plan(_ version: LampVersion) -> GatewayPlan {
        var plan = GatewayPlan(lamps: 10, versions: [version])
        plan.lamps.types = LightType.allCases
        plan.lamps.generations = [.first, .second]
        for index in 0..<10 {
            let points = LampPoints(plan.lamps, index)
            // Two data points and no mode could be anything, so that the operator has to say that it is a lamp.
            guard points.mode == nil else { continue }
            let kind = points.type.rawValue
            plan.lampLines[index] = ["        light:", "          type: \(kind)", "          generation: 1"]
        }
        return plan
    }

    @Test("every lamp's state is published as reported by it, and it is online", arguments: LampVersion.allCases)
    func states(version: LampVersion) async throws {
        let plan = plan(version)
        try await withGateway(plan) { house in
            for index in house.lamps.indices {
                let points = LampPoints(plan.lamps, index)
                let state = house.state(index)
                #expect(state["power"] == true, "\(points)")
                #expect(state["brightness"] == 255, "\(points)")
                #expect(state["_meta"]?["source"] == "reported", "\(points)")
                #expect(state["_meta"]?["confirmed_at"]?.stringValue?.hasSuffix("Z") == true)
                if points.mode != nil {
                    #expect(state["mode"]?.stringValue == (points.type.hasWhite ? "white" : "color"), "\(points)")
                }
                // Half the way from 2700 to 6500, in 1000 steps and in 255.
                let kelvin: JSON? = points.type.hasTemperature ? (points.generation == .second ? 4600 : 4607) : nil
                #expect(state["color_temp"] == kelvin, "\(points)")
                let color: JSON? = points.type.hasColor ? ["h": 0, "s": 100] : nil
                #expect(state["color"] == color, "\(points)")
                let retained = house.client.newest["lintel/device/\(house.id(index))/state"]
                #expect(retained?.message.properties.contentType == "application/json")
            }
            // The index is published a moment later, so that devices that come together make one message.
            try await house.facts.until("the index has all devices", within: .seconds(30)) {
                house.client.json("bridge/devices")?["devices"]?.arrayValue?.count == 10
            }
            // Changes of the index are gathered for a moment.
            try await house.facts.until("the index has them all") {
                let index = house.client.json("bridge/devices")?["devices"]?.arrayValue ?? []
                return index.count == 10 && index.allSatisfy { $0["kind"] == "light" && $0["online"] == true }
            }
        }
    }

    @Test("every property is commanded, confirmed by the lamp and published", arguments: LampVersion.allCases)
    func commands(version: LampVersion) async throws {
        let plan = plan(version)
        try await withGateway(plan) { house in
            let walks = house.lamps.indices.map { index in
                Task { @Loop in try await LampWalk(house, index, LampPoints(plan.lamps, index)).run() }
            }
            for walk in walks { try await walk.value }
        }
    }

    @Test("a colour that is asked for while a lamp is off does not switch it on and is kept", arguments: [1, 2])
    func colourWhileOff(generation: Int) async throws {
        var plan = GatewayPlan()
        plan.lamps.generations = [try #require(LightGeneration(rawValue: generation))]
        let points = LampPoints(plan.lamps, 0)
        try await withGateway(plan) { house in
            #expect(try await house.client.set("lamp-1", ["power": false])["stage"] == "confirmed")
            let sets = house.lamp.counts.sets
            let answer = try await house.client.set("lamp-1", ["color": ["h": 120, "s": 80]])
            #expect(answer["status"] == "ok", "\(answer.text)")
            let second = try await house.client.set("lamp-1", ["color": ["h": 200, "s": 50]])
            #expect(second["status"] == "ok", "\(second.text)")
            // A question to the lamp would find out had anything been sent to it.
            let state = try await house.client.call("device/lamp-1/get")
            #expect(state["state"]?["power"] == false, "\(state.text)")
            #expect(house.lamp.values[points.power] == false)
            #expect(house.lamp.counts.sets == sets)
            let on = try await house.client.set("lamp-1", ["power": true])
            #expect(on["stage"] == "confirmed", "\(on.text)")
            #expect(house.lamp.values[points.power] == true)
            #expect(house.lamp.values[points.mode ?? 0] == "colour")
            let colour = try #require(points.colour(house.lamp.values[points.colour]))
            #expect(colour.hue == 200)
            #expect(abs(colour.saturation - 50) <= 1)
            try await house.facts.until("the colour is published, not \(house.state().text)") {
                let state = house.state()
                return state["power"] == true && state["mode"] == "color" && state["color"] == ["h": 200, "s": 50]
            }
        }
    }

    @Test("what a lamp cannot do is refused by its code, and nothing is sent to it")
    func refusals() async throws {
        try await withGateway { house in
            let refused: [(JSONObject, String)] = [
                (["brightness": 999], "value_out_of_range"), (["brightness": -1], "value_out_of_range"),
                (["color_temp": 1000], "value_out_of_range"), (["color": ["h": 400, "s": 10]], "value_out_of_range"),
                (["mode": "disco"], "value_out_of_range"), (["effect": "no such scene"], "value_out_of_range"),
                (["power": true, "brightness": 300], "value_out_of_range"), (["volume": 3], "property_unknown"),
                (["dp_99": 3], "property_unknown"), (["power": "maybe"], "bad_request"),
            ]
            for (payload, code) in refused {
                let answer = try await house.client.set("lamp-1", payload)
                #expect(answer["status"] == "error", "\(payload): \(answer.text)")
                #expect(answer["error"]?["code"]?.stringValue == code, "\(payload): \(answer.text)")
                #expect(answer["error"]?["retryable"] == false)
                #expect(answer["error"]?["message"]?.stringValue?.isEmpty == false)
            }
            let unknown = try await house.client.set("lamp-2", ["power": true])
            #expect(unknown["error"]?["code"] == "device_not_found")
            let action = try await house.client.call("device/lamp-1/action/dance")
            #expect(action["error"]?["code"] == "capability_missing", "\(action.text)")
            #expect(house.lamp.counts.sets == 0)

            let clamped = try await house.client.set("lamp-1", ["brightness": 999, "clamp": true])
            #expect(clamped["applied"]?["brightness"] == 255, "\(clamped.text)")
            let faded = try await house.client.set("lamp-1", ["brightness": 100, "transition": 2])
            #expect(faded["ignored"] == ["transition"], "\(faded.text)")
            #expect(faded["stage"] == "confirmed")
        }
    }

    @Test("what a lamp reports by itself, whole or in parts, is merged into its state", arguments: LampVersion.allCases)
    func reports(version: LampVersion) async throws {
        try await withGateway(GatewayPlan(versions: [version])) { house in
            house.lamp.report([22: 502])
            try await house.facts.until("a part is merged") { house.state()["brightness"] == 128 }
            #expect(house.state()["color_temp"] == 4600)
            #expect(house.state()["color"] == ["h": 0, "s": 100])
            house.lamp.report([20: false])
            try await house.facts.until("off is merged") { house.state()["power"] == false }
            #expect(house.state()["brightness"] == 128)
            house.lamp.faults.splitsReports = true
            house.lamp.report([20: true, 21: "colour", 24: "00f003e801f4"])
            try await house.facts.until("a report in pieces is merged, not \(house.state().text)") {
                let state = house.state()
                return state["power"] == true && state["mode"] == "color" && state["color"] == ["h": 240, "s": 100]
                    && state["brightness"] == 128
            }
            #expect(house.state()["color_temp"] == 4600)
            // What it does not tell is found by asking.
            house.lamp.change([21: "white", 22: 10])
            let answer = try await house.client.call("device/lamp-1/get")
            #expect(answer["state"]?["mode"] == "white", "\(answer.text)")
            #expect(answer["state"]?["brightness"]?.intValue.map { $0 <= 3 } == true, "\(answer.text)")
            try await house.facts.until("what was found is published") { house.state()["mode"] == "white" }
        }
    }
}
