import EventLoop
import JSON
import Simulators
import Testing
import TuyaProtocol

/// Takes one lamp through everything that it can do, from white over colour to a scene and back.
@Loop
struct LampWalk {
    private let house: TestHouse
    private let index: Int
    private let points: LampPoints
    private let lamp: TuyaLamp

    init(_ house: TestHouse, _ index: Int, _ points: LampPoints) {
        self.house = house
        self.index = index
        self.points = points
        lamp = house.lamps[index]
    }

    func run() async throws {
        try await set(["power": false]) { $0.values[points.power] == false }
        try await set(["power": true]) { $0.values[points.power] == true }
        if points.type.hasWhite { try await walkWhite() }
        if points.type.hasColor { try await walkColour() }
        try await walkScene()
        if let countdown = points.countdown {
            try await set(["countdown": 600]) { $0.values[countdown]?.intValue.map { $0 > 590 } == true }
            try await set(["countdown": 0]) { $0.values[countdown] == 0 }
        }
        try await set(["power": false]) { $0.values[points.power] == false }
    }

    private func walkWhite() async throws {
        try await set(["brightness": 128]) { $0.values[points.white]?.intValue == points.white(128) }
        if points.mode != nil { #expect(state["mode"] == "white") }
        // Zero is the switch; with power it is the least that the lamp can do.
        try await set(["brightness": 1]) { $0.values[points.white]?.intValue == points.white(1) }
        guard points.type.hasTemperature else { return }
        try await set(["color_temp": 4000]) { $0.values[points.temperature]?.intValue == points.temperature(4000) }
        try await set(["color_temp": 6500, "brightness": 200]) {
            $0.values[points.temperature]?.intValue == points.temperature(6500)
                && $0.values[points.white]?.intValue == points.white(200)
        }
    }

    private func walkColour() async throws {
        let white = lamp.values[points.white]
        try await set(["color": ["h": 240, "s": 100], "brightness": 255]) {
            isColour($0, hue: 240, saturation: 100, value: 100)
        }
        #expect(state["mode"] == "color", "\(name)")
        // In colour mode brightness is the colour's own.
        try await set(["brightness": 64]) { isColour($0, hue: 240, saturation: 100, value: 25) }
        try await set(["color": ["h": 33]]) { isColour($0, hue: 33, saturation: 100, value: 25) }
        #expect(state["brightness"] == 64, "\(name)")
        #expect(lamp.values[points.white] == white, "\(name)")
        guard points.type.hasWhite else { return }
        try await set(["mode": "white"]) { $0.values[points.mode ?? 0] == "white" }
        // What does not apply in white keeps its last value.
        #expect(state["color"] == ["h": 33, "s": 100], "\(name)")
        try await set(["brightness": 90]) { $0.values[points.white]?.intValue == points.white(90) }
        #expect(points.colour(lamp.values[points.colour])?.value == 25, "\(name)")
        try await set(["mode": "color"]) { $0.values[points.mode ?? 0] == "colour" }
        #expect(state["brightness"] == 64, "\(name)")
    }

    private func walkScene() async throws {
        guard let effect = points.effect else { return }
        try await set(["effect": .string(effect.name)]) { lamp in
            let scene = points.scene.flatMap { lamp.values[$0]?.stringValue }
            return lamp.values[points.mode ?? 0]?.stringValue == effect.mode
                && effect.scene.map { scene?.hasPrefix($0) == true } ?? true
        }
        #expect(state["mode"] == "scene", "\(name)")
        #expect(state["effect"]?.stringValue == effect.name, "\(name)")
        let back = points.type.hasWhite ? "white" : "color"
        try await set(["mode": .string(back)]) { $0.values[points.mode ?? 0] == (back == "white" ? "white" : "colour") }
    }

    private var state: JSON { house.state(index) }
    private var name: String { "\(lamp.product.name) \(lamp.identity.version.text): \(state.text) \(lamp.values)" }

    private func isColour(_ lamp: TuyaLamp, hue: Int, saturation: Int, value: Int) -> Bool {
        guard lamp.values[points.mode ?? 0] == "colour", let colour = points.colour(lamp.values[points.colour]) else {
            return false
        }
        return colour == (hue, saturation, value)
    }

    /// Commands the lamp, and looks at the answer, at what the lamp holds and at what is published.
    private func set(_ values: JSONObject, _ holds: @Loop (TuyaLamp) -> Bool) async throws {
        let answer = try await house.client.set(house.id(index), values)
        try #require(answer["stage"] == "confirmed", "\(JSON.object(values).text): \(answer.text); \(name)")
        try #require(answer["applied"] == .object(values), "\(answer.text)")
        try #require(holds(lamp), "\(JSON.object(values).text): the lamp holds \(lamp.values), \(name)")
        try await house.facts.until("\(JSON.object(values).text) is published, not \(state.text)") { [self] in
            values.allSatisfy { Self.matches(state[$0.key], $0.value) } && state["_meta"]?["source"] == "reported"
        }
    }

    /// Whether a published value is what was asked for; parts of a colour may be asked for alone.
    private static func matches(_ published: JSON?, _ asked: JSON) -> Bool {
        guard let members = asked.objectValue else { return published == asked }
        return members.allSatisfy { published?[$0.key] == $0.value }
    }
}
