import EventLoop
import JSON
import Simulators
import Testing

@Loop
@Suite("Products that are no lamps", .timeLimit(.minutes(10)))
struct ProductTests {
    /// Two metering plugs; the second one's data points are described.
    private func plan(_ version: LampVersion) -> GatewayPlan {
        var plan = GatewayPlan(lamps: 2, versions: [version])
        plan.lamps.arePlugs = true
        plan.lampLines[1] = [
            "        category: cz", "        schema:",
            "          - {id: 1, code: switch_1, mode: rw, type: obj, property: {type: bool}}",
            "          - {id: 18, code: cur_current, mode: ro, type: obj,",
            "             property: {type: value, min: 0, max: 30000, scale: 0, step: 1, unit: mA}}",
            "          - {id: 19, code: cur_power, mode: ro, type: obj,",
            "             property: {type: value, min: 0, max: 80000, scale: 1, step: 1, unit: W}}",
            "          - {id: 26, code: fault, mode: ro, type: obj,",
            "             property: {type: bitmap, label: [ov_cr, ov_vol, ov_pwr], maxlen: 3}}",
            "          - {id: 38, code: relay_status, mode: rw, type: obj,",
            "             property: {type: enum, range: [\"off\", \"on\", memory]}}",
            "          - {id: 42, code: cycle_time, mode: rw, type: obj, property: {type: string, maxlen: 255}}",
        ]
        return plan
    }

    @Test(
        "data points without a schema appear as they are seen, and are set by experts only",
        arguments: LampVersion.allCases
    )
    func unknown(version: LampVersion) async throws {
        try await withGateway(plan(version)) { house in
            let client = house.client
            #expect(house.state()["dp_1"] == true, "\(house.state().text)")
            #expect(house.state()["dp_19"] == 396, "\(house.state().text)")
            let refused = try await client.set("lamp-1", ["dp_1": false])
            #expect(refused["error"]?["code"] == "expert_only", "\(refused.text)")
            #expect(house.lamp.counts.sets == 0)
            let taken = try await client.set("lamp-1", ["dp_1": false, "expert": true])
            #expect(taken["stage"] == "confirmed", "\(taken.text)")
            #expect(house.lamp.values[1] == false)
            house.lamp.report([19: 1000])
            try await house.facts.until("a report is published") { house.state()["dp_19"] == 1000 }
        }
    }

    @Test("data points with a schema have names, scales, choices and access", arguments: [LampVersion.v33, .v35])
    func described(version: LampVersion) async throws {
        try await withGateway(plan(version)) { house in
            let (client, plug) = (house.client, house.lamps[1])
            let description = try #require(client.json("bridge/device/lamp-2"))
            #expect(description["kind"] == "plug", "\(description.text)")
            #expect(description["properties"]?["cur_power"]?["unit"] == "W", "\(description.text)")
            #expect(description["properties"]?["cur_power"]?["access"] == "ro", "\(description.text)")
            #expect(house.state(1)["cur_power"]?.doubleValue == 39.6, "\(house.state(1).text)")
            #expect(house.state(1)["relay_status"] == "memory")
            for (payload, code): (JSONObject, String) in [
                (["cur_power": 5], "read_only"), (["relay_status": "purple"], "value_out_of_range"),
                (["switch_1": "yes"], "bad_request"), (["dp_9": 5], "expert_only"), (["dp_200": 5], "property_unknown"),
            ] {
                let answer = try await client.set("lamp-2", payload)
                #expect(answer["error"]?["code"]?.stringValue == code, "\(payload): \(answer.text)")
            }
            #expect(plug.counts.sets == 0)
            let set = try await client.set("lamp-2", ["switch_1": false, "relay_status": "on", "cycle_time": "abc"])
            #expect(set["stage"] == "confirmed", "\(set.text)")
            #expect(plug.values.limited(to: [1, 38, 42]) == [1: false, 38: "on", 42: "abc"])
            plug.report([19: 1000, 26: 2])
            try await house.facts.until("a report is published, not \(house.state(1).text)") {
                house.state(1)["cur_power"]?.doubleValue == 100
            }
            #expect(house.state(1)["fault"]?.text.contains("ov_vol") == true, "\(house.state(1).text)")
        }
    }
}
