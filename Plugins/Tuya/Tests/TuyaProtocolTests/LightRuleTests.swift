import JSON
import Testing
import TuyaProtocol

struct LightRuleTests {
    private func lamp(
        _ type: LightKind = .colourAndTunableWhite,
        _ points: DataPoints = [20: true, 21: "white", 22: 500, 23: 500, 24: "000003e803e8"]
    ) -> Light {
        Light(profile: LightProfile(layout: .second, type: type), points: points)
    }

    private func colour(_ hue: Double, _ saturation: Double) -> LightChange.Colour {
        LightChange.Colour(hue: hue, saturation: saturation)
    }

    @Test("colour and brightness go out together, the brightness inside the colour")
    func colourWithBrightness() throws {
        var light = lamp()
        let plan = try light.plan(LightChange(power: true, brightness: .of255(51), colour: colour(120, 50)))
        #expect(plan.points == [20: true, 21: "colour", 24: "007801f400c8"])
    }

    @Test("temperature and brightness go out together, in white mode")
    func temperatureWithBrightness() throws {
        var light = lamp(.colourAndTunableWhite, [20: true, 21: "colour", 22: 10, 23: 0, 24: "000003e803e8"])
        let plan = try light.plan(LightChange(brightness: .of255(255), temperature: .kelvin(6500)))
        #expect(plan.points == [20: true, 21: "white", 22: 1000, 23: 1000])
    }

    @Test("the mode stands first in the message, the switch last")
    func order() throws {
        var light = lamp()
        let plan = try light.plan(LightChange(brightness: .of255(255), temperature: .kelvin(6500)))
        #expect(plan.points.ids == [21, 23, 22, 20])
        #expect(plan.split(modePoint: 21) == [[21: "white"], [23: 1000, 22: 1000, 20: true]])
        #expect(plan.split(modePoint: nil) == [plan.points])
        #expect(LightPlan().split(modePoint: 21) == [])
    }

    @Test("brightness 0 switches off; with power asked for it is the minimum")
    func zero() throws {
        var light = lamp()
        #expect(try light.plan(LightChange(brightness: .of255(0))).points == [20: false])
        #expect(
            try light.plan(LightChange(power: true, brightness: .of255(0))).points == [20: true, 21: "white", 22: 10]
        )
        var red = lamp(.colour, [20: true, 21: "colour", 24: "000003e803e8"])
        #expect(
            try red.plan(LightChange(power: true, brightness: .of255(0))).points
                == [20: true, 21: "colour", 24: "000003e8000a"]
        )
    }

    @Test("a raw brightness of 0 is not kept but becomes the minimum")
    func rawZero() throws {
        var light = lamp(.white, [20: false, 22: 0])
        let shown = try #require(light.state.brightness)
        #expect(try light.plan(LightChange(brightness: .of255(shown))).points == [20: true, 22: 10])
    }

    @Test("a colour for a lamp that is off is kept until it is switched on, and does not switch it on")
    func deferredColour() throws {
        var light = lamp(.colourAndTunableWhite, [20: false, 21: "white", 22: 500, 24: "000003e803e8"])
        let first = try light.plan(LightChange(colour: colour(120, 100)))
        #expect(first.points.isEmpty)
        #expect(first.deferred == [.colour])
        let second = try light.plan(LightChange(colour: colour(200, 50)))
        #expect(second.points.isEmpty)
        let on = try light.plan(LightChange(power: true))
        #expect(on.points == [20: true, 21: "colour", 24: "00c801f403e8"])
        #expect(light.pendingColour == nil)
        #expect(try light.plan(LightChange(power: true)).points == [20: true])
    }

    @Test("a lamp whose switch is not known counts as off")
    func unknownSwitch() throws {
        var light = lamp(.colourAndTunableWhite, [21: "white", 24: "000003e803e8"])
        #expect(try light.plan(LightChange(colour: colour(120, 100))).deferred == [.colour])
    }

    @Test("brightness switches on, and takes the colour along that waits")
    func deferredColourAndBrightness() throws {
        var light = lamp(.colourAndTunableWhite, [20: false, 21: "white", 22: 500, 24: "000003e803e8"])
        _ = try light.plan(LightChange(colour: colour(120, 100)))
        #expect(
            try light.plan(LightChange(brightness: .of255(51))).points == [20: true, 21: "colour", 24: "007803e800c8"]
        )
    }

    @Test("whoever asks for white does not get the colour that waits")
    func forgottenColour() throws {
        for change in [LightChange(temperature: .kelvin(3000)), LightChange(mode: "white"), LightChange(mode: "scene")]
        {
            var light = lamp(.colourAndTunableWhite, [20: false, 21: "white", 22: 500, 24: "000003e803e8"])
            _ = try light.plan(LightChange(colour: colour(120, 100)))
            let plan = try light.plan(change)
            #expect(plan.points[20] == nil)
            #expect(plan.points[24] == nil)
            #expect(light.pendingColour == nil)
        }
    }

    @Test("a lamp that is switched on by hand gets the colour that waits, unless another light was chosen")
    func switchedOnByOthers() throws {
        var light = lamp(.colourAndTunableWhite, [20: false, 21: "white", 22: 500, 24: "000003e803e8"])
        _ = try light.plan(LightChange(colour: colour(120, 100)))
        #expect(light.learn([22: 400]) == nil)
        #expect(light.learn([20: true]) == [21: "colour", 24: "007803e803e8"])
        #expect(light.learn([20: true]) == nil)

        var other = lamp(.colourAndTunableWhite, [20: false, 21: "white", 22: 500, 24: "000003e803e8"])
        _ = try other.plan(LightChange(colour: colour(120, 100)))
        #expect(other.learn([20: true, 21: "scene"]) == nil)
        #expect(other.pendingColour == nil)
    }

    @Test("switching off with a colour in the same breath keeps the colour")
    func colourWithPowerOff() throws {
        var light = lamp()
        let plan = try light.plan(LightChange(power: false, colour: colour(240, 100)))
        #expect(plan.points == [20: false])
        #expect(plan.deferred == [.colour])
    }

    @Test("what means nothing in the mode asked for is named and not sent")
    func ignored() throws {
        var light = lamp()
        let white = try light.plan(LightChange(colour: colour(10, 10), mode: "white"))
        #expect(white.points == [21: "white"])
        #expect(white.ignored == [.colour])
        let colours = try light.plan(LightChange(temperature: .kelvin(3000), colour: colour(10, 100), mode: "color"))
        #expect(colours.points == [21: "colour", 24: "000a03e803e8"])
        #expect(colours.ignored == [.temperature])
        let scene = try light.plan(LightChange(brightness: .of255(9), mode: "scene"))
        #expect(scene.points == [21: "scene"])
        #expect(scene.ignored == [.brightness])
    }

    @Test("a lamp that lacks a channel says so")
    func unsupported() throws {
        var white = lamp(.white, [20: true, 22: 500])
        #expect(throws: LightError.unsupported(.colour)) { try white.plan(LightChange(colour: colour(1, 1))) }
        #expect(throws: LightError.unsupported(.temperature)) {
            try white.plan(LightChange(temperature: .kelvin(3000)))
        }
        #expect(throws: LightError.unsupported(.effect)) { try white.plan(LightChange(effect: "read")) }
        #expect(throws: LightError.unsupported(.countdown)) { try white.plan(LightChange(countdown: 5)) }
        #expect(throws: LightError.unsupported(.mode)) { try white.plan(LightChange(mode: "color")) }
        #expect(try white.plan(LightChange(mode: "white")).points.isEmpty)
        var full = lamp()
        #expect(throws: LightError.unknownValue(.mode, "disco")) { try full.plan(LightChange(mode: "disco")) }
    }

    @Test("brightness of white and of colour are kept apart")
    func separateBrightness() throws {
        var light = lamp(.colourAndTunableWhite, [20: true, 21: "colour", 22: 500, 24: "000003e801f4"])
        #expect(light.state.brightness == 128)
        _ = light.learn([22: 1000])
        #expect(light.state.brightness == 128)
        _ = light.learn([21: "white"])
        #expect(light.state.brightness == 255)
        _ = light.learn([24: "000003e80064"])
        #expect(light.state.brightness == 255)
    }

    @Test("a hue that differs by one degree is no change, also across 0")
    func hueDrift() {
        var light = lamp(.colour, [20: true, 21: "colour", 24: "000003e803e8"])
        _ = light.learn([24: "016703e803e8"])
        #expect(light.state.colour?.hue == 0)
        _ = light.learn([24: "000103e803e8"])
        #expect(light.state.colour?.hue == 0)
        _ = light.learn([24: "000203e803e8"])
        #expect(light.state.colour?.hue == 2)
        _ = light.learn([24: "016603e803e8"])
        #expect(light.state.colour?.hue == 358)
    }

    @Test("an echo that is one degree off shows what was asked for, but what was asked for exactly is shown exactly")
    func hueEcho() throws {
        var light = lamp(.colour, [20: true, 21: "colour", 24: "007803e803e8"])
        _ = try light.plan(LightChange(colour: colour(121, 100)))
        _ = light.learn([24: "007903e803e8"])
        #expect(light.state.colour?.hue == 121)
        _ = try light.plan(LightChange(colour: colour(50, 100)))
        _ = light.learn([24: "003303e803e8"])
        #expect(light.state.colour?.hue == 50)
        _ = try light.plan(LightChange(colour: colour(360, 100)))
        _ = light.learn([24: "000003e803e8"])
        #expect(light.state.colour?.hue == 360)
    }

    @Test("colours are written in the form that the device itself uses")
    func deviceEncoding() throws {
        var light = lamp(.colour, [20: true, 21: "colour", 24: "ff00000000ffff"])
        #expect(try light.plan(LightChange(colour: colour(120, 100))).points[24] == "00ff000078ffff")
    }

    @Test("scenes are effects, by name, and a known scene keeps its own content")
    func effects() throws {
        var light = Light(
            profile: LightProfile(layout: .second, type: .colourAndTunableWhite, extraPoints: [25]),
            points: [20: true, 21: "white"]
        )
        #expect(light.profile.effects.map(\.name).prefix(4) == ["night", "read", "meeting", "leisure"])
        let plan = try light.plan(LightChange(effect: "read"))
        #expect(plan.points == [21: "scene", 25: "010e0d0000000000000003e801f4"])
        _ = light.learn(plan.points)
        #expect(light.state.mode == "scene")
        #expect(light.state.effect == "read")
        _ = light.learn([25: "01505000003c03e803e800000000"])
        #expect(light.state.effect == "read")
        #expect(try light.plan(LightChange(effect: "read")).points[25] == "01505000003c03e803e800000000")
        #expect(try light.plan(LightChange(effect: "night")).points[25] != "01505000003c03e803e800000000")
        _ = light.learn([21: "white"])
        #expect(light.state.effect == nil)
        #expect(throws: LightError.unknownValue(.effect, "none")) { try light.plan(LightChange(effect: "none")) }
    }

    @Test("generation 1 has a mode for each scene")
    func sceneModes() throws {
        var light = Light(
            profile: try #require(LightProfile.detect([1: true, 2: "scene_2", 3: 25])),
            points: [1: true, 2: "scene_2", 3: 25]
        )
        #expect(light.state.mode == "scene")
        #expect(light.state.effect == "scene_2")
        #expect(try light.plan(LightChange(effect: "scene_4")).points == [2: "scene_4"])
        #expect(try light.plan(LightChange(mode: "scene")).points == [2: "scene_2"])
    }

    @Test("countdown is a number of seconds of its own")
    func countdown() throws {
        var light = Light(
            profile: LightProfile(layout: .second, type: .white, extraPoints: [26]),
            points: [20: true, 26: 0]
        )
        #expect(try light.plan(LightChange(countdown: 600)).points == [26: 600])
        #expect(try light.plan(LightChange(countdown: 100_000)).points == [26: 86_400])
        _ = light.learn([26: 599])
        #expect(light.state.countdown == 599)
    }

    @Test("values of a wrong type change nothing")
    func wrongTypes() {
        var light = lamp()
        let before = light.state
        _ = light.learn([20: 1, 21: 3, 22: "x", 23: true, 24: 7])
        #expect(light.state == before)
    }
}
