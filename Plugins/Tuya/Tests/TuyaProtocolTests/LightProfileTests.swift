import JSON
import Testing
import TuyaProtocol

struct LightProfileTests {
    struct Sample: Sendable {
        var points: DataPoints
        var layout: LightLayout
        var type: LightKind
    }

    static let samples = [
        Sample(
            points: [20: true, 21: "white", 22: 10, 23: 0, 24: "000003e803e8"],
            layout: .second,
            type: .colourAndTunableWhite
        ),
        Sample(points: [20: true, 21: "colour", 24: "000003e803e8"], layout: .second, type: .colour),
        Sample(points: [20: true, 22: 500], layout: .second, type: .white),
        Sample(
            points: [1: true, 2: "white", 3: 255, 4: 0, 5: "ff00000000ffff"],
            layout: .first,
            type: .colourAndTunableWhite
        ),
        Sample(points: [1: true, 2: "white", 3: 255], layout: .first, type: .white),
        Sample(points: [1: true, 2: 255, 3: 12], layout: .third, type: .tunableWhite),
        Sample(points: [1: true, 2: 255], layout: .third, type: .white),
    ]

    @Test("a light is known by its points", arguments: samples)
    func detection(_ sample: Sample) throws {
        let profile = try #require(LightProfile.detect(sample.points))
        #expect(profile.layout == sample.layout)
        #expect(profile.type == sample.type)
    }

    @Test(
        "what is no light is not taken for one",
        arguments: [
            [1: true, 20: 2300], [1: true, 9: 0, 18: 0, 19: 0, 20: 2300], [20: 2300], [1: "open", 2: "x"], [1: true],
            [1: true, 2: "auto", 3: 21], [20: true], [:],
        ] as [DataPoints]
    )
    func noLight(points: DataPoints) {
        #expect(LightProfile.detect(points) == nil)
    }

    @Test("a guessed profile grows when more points show themselves")
    func growth() throws {
        var light = Light(profile: try #require(LightProfile.detect([20: true, 21: "white"])))
        #expect(light.profile.type == .white)
        _ = light.learn([22: 500])
        _ = light.learn([23: 500, 24: "000003e803e8", 25: "00"])
        #expect(light.profile.type == .colourAndTunableWhite)
        #expect(light.profile.modes == ["white", "color", "scene", "music"])
        #expect(!light.profile.effects.isEmpty)
        #expect(light.state.temperature == 4600)
    }

    private func profile(_ json: JSON) throws -> LightProfile {
        let schema = try #require(DeviceSchema(json: json))
        return try #require(LightProfile(schema: schema))
    }

    @Test("codes and ranges of a schema win over the layout")
    func schema() throws {
        let json: JSON = [
            "category": "dj",
            "functions": [
                ["code": "switch_led", "type": "Boolean", "values": "{}", "dp_id": 20],
                ["code": "work_mode", "type": "Enum", "values": #"{"range":["white","colour","scene"]}"#, "dp_id": 21],
                [
                    "code": "bright_value_v2", "type": "Integer",
                    "values": #"{"min":29,"max":1000,"scale":0,"step":1}"#, "dp_id": 22,
                ],
                ["code": "colour_data_v2", "type": "Json", "values": "{}", "dp_id": 24],
                ["code": "scene_data_v2", "type": "Json", "values": "{}", "dp_id": 25],
                [
                    "code": "countdown", "type": "Integer", "values": #"{"min":0,"max":3600,"unit":"s"}"#, "dp_id": 26,
                ],
            ],
            "status": [],
        ]
        let profile = try self.profile(json)
        #expect(profile.type == .colourAndWhite)
        #expect(profile.brightness?.range.minimum == 29)
        #expect(profile.colour?.encoding == .second)
        #expect(profile.modes == ["white", "color", "scene"])
        #expect(profile.countdown?.range.maximum == 3600)
        #expect(profile.temperaturePoint == nil)
    }

    @Test("a dimmer with other codes is a light of one white")
    func dimmer() throws {
        let json: JSON = [
            ["id": 1, "code": "switch_led_1", "property": ["type": "bool"]],
            ["id": 2, "code": "bright_value_1", "property": ["type": "value", "min": 10, "max": 1000]],
        ]
        let profile = try self.profile(json)
        #expect(profile.type == .white)
        #expect(profile.switchPoint == 1)
        #expect(
            profile.brightness
                == LightProfile(layout: .second, type: .white).brightness.map { point in
                    var point = point
                    point.id = 2
                    return point
                }
        )
        let plug: JSON = [["id": 1, "code": "switch_1", "property": ["type": "bool"]]]
        let plugSchema = try #require(DeviceSchema(json: plug))
        #expect(LightProfile(schema: plugSchema) == nil)
    }

    @Test("every kind of light has its channels in both generations", arguments: LightKind.allCases)
    func kinds(type: LightKind) {
        for layout in [LightLayout.first, .second] {
            let profile = LightProfile(layout: layout, type: type)
            #expect(profile.type == type)
            #expect((profile.modePoint != nil) == (profile.colour != nil))
        }
    }

    @Test("the warm end is where the product has it")
    func direction() {
        var temperature = ColourTemperature(range: ValueRange(minimum: 0, maximum: 1000), kelvin: 2200...5000)
        #expect(temperature.raw(kelvin: 2200) == 0)
        #expect(temperature.raw(kelvin: 5000) == 1000)
        #expect(temperature.raw(kelvin: 1000) == 0)
        temperature.direction = .warmAtMaximum
        #expect(temperature.raw(kelvin: 2200) == 1000)
        #expect(temperature.kelvin(1000) == 2200)
        #expect(temperature.kelvin(0) == 5000)
    }
}
