import JSON
import Testing
import TuyaProtocol

struct DataPointTests {
    @Test("values snap to the nearest step and never above the maximum")
    func steps() {
        let range = ValueRange(minimum: 10, maximum: 99, scale: 0, step: 7)
        #expect(range.raw(10) == 10)
        #expect(range.raw(13) == 10)
        #expect(range.raw(14) == 17)
        #expect(range.raw(98) == 94)
        #expect(range.raw(99) == 94)
        #expect(range.raw(-5) == 10)
        let halves = ValueRange(minimum: 0, maximum: 100, step: 10)
        #expect(halves.raw(5) == 10)
        #expect(halves.raw(4.9) == 0)
        #expect(ValueRange(minimum: 5, maximum: 1).minimum == 1)
        #expect(ValueRange(minimum: .min, maximum: .max).raw(.infinity) > 0)
        #expect(ValueRange(minimum: -50, maximum: 500, scale: 1).raw(-2.5) == -25)
    }

    @Test("each type takes its own values and refuses others")
    func types() throws {
        func point(_ type: DataPointType) -> DataPointSchema { DataPointSchema(id: 1, type: type) }
        #expect(try point(.bool).raw(true) == true)
        #expect(throws: DataPointSchema.ValueProblem.wrongType(expected: "a boolean")) { try point(.bool).raw(1) }
        #expect(try point(.enumeration(["a", "b"])).raw("b") == "b")
        #expect(throws: DataPointSchema.ValueProblem.notInRange(["a", "b"])) {
            try point(.enumeration(["a", "b"])).raw("c")
        }
        #expect(throws: DataPointSchema.ValueProblem.tooLong(limit: 2)) {
            try point(.string(maximumLength: 2)).raw("abc")
        }
        #expect(try point(.fault(labels: ["x", "y"])).raw(["y", "bit5"]) == 34)
        #expect(point(.fault(labels: ["x", "y"])).engineering(34) == ["y", "bit5"])
        #expect(point(.bool).engineering("on") == nil)
        let number = point(.value(ValueRange(minimum: 0, maximum: 100)))
        #expect(number.engineering(42) == 42)
        #expect(number.engineering("42") == nil)
    }

    @Test("what only reports cannot be set")
    func reportOnly() {
        let point = DataPointSchema(id: 1, type: .bool, transfer: .reportOnly)
        #expect(throws: DataPointSchema.ValueProblem.reportOnly) { try point.settable(true) }
    }

    @Test("without a schema the type is that of the first value")
    func inference() {
        #expect(DataPointSchema.inferred(id: 7, from: true)?.type == .bool)
        #expect(DataPointSchema.inferred(id: 7, from: "x")?.type == .string(maximumLength: nil))
        #expect(DataPointSchema.inferred(id: 7, from: 5)?.name == "dp_7")
        #expect(DataPointSchema.inferred(id: 7, from: [1]) == nil)
    }

    @Test("all forms of a schema say the same", arguments: schemas)
    func forms(json: JSON) throws {
        let schema = try #require(DeviceSchema(json: json))
        #expect(schema.points.map(\.id) == [1, 9, 26, 101])
        #expect(schema[1]?.type == .bool)
        #expect(schema[1]?.transfer == .sendAndReport)
        #expect(schema[9]?.type == .value(ValueRange(minimum: 0, maximum: 5000, scale: 1, step: 1, unit: "W")))
        #expect(schema[9]?.transfer == .reportOnly)
        #expect(schema[26]?.type == .fault(labels: ["e1", "e2"]))
        #expect(schema[101]?.type == .enumeration(["low", "high"]))
        #expect(schema[101]?.transfer == .sendOnly)
        #expect(DeviceSchema(json: schema.json) == schema)
        #expect(try DeviceSchema(json: JSON.parse(schema.json.serialized())) == schema)
    }

    static let schemas: [JSON] = [
        [
            ["id": 1, "mode": "rw", "type": "obj", "property": ["type": "bool"]],
            [
                "id": 9, "mode": "ro", "type": "obj",
                "property": ["type": "value", "min": 0, "max": 5000, "scale": 1, "step": 1, "unit": "W"],
            ],
            [
                "id": 26, "mode": "ro", "type": "obj",
                "property": ["type": "bitmap", "maxlen": 2, "label": ["e1", "e2"]],
            ],
            ["id": 101, "mode": "wr", "type": "obj", "property": ["type": "enum", "range": ["low", "high"]]],
        ],
        [
            "success": true,
            "result": [
                "category": "cz",
                "functions": [
                    ["code": "switch_1", "type": "Boolean", "values": "{}", "dp_id": 1],
                    ["code": "level", "type": "Enum", "values": #"{"range":["low","high"]}"#, "dp_id": 101],
                ],
                "status": [
                    ["code": "switch_1", "type": "Boolean", "values": "{}", "dp_id": 1],
                    [
                        "code": "cur_power", "type": "Integer",
                        "values": #"{"unit":"W","min":0,"max":5000,"scale":1,"step":1}"#, "dp_id": 9,
                    ],
                    ["code": "fault", "type": "Bitmap", "values": #"{"label":["e1","e2"],"maxlen":2}"#, "dp_id": 26],
                ],
            ],
        ],
        [
            "result": [
                "model": .string(
                    """
                    {"modelId":"x","services":[{"code":"","properties":[
                    {"abilityId":1,"code":"switch_1","accessMode":"rw","typeSpec":{"type":"bool"}},
                    {"abilityId":9,"code":"cur_power","accessMode":"ro",
                     "typeSpec":{"type":"value","max":5000,"min":0,"scale":1,"step":1,"unit":"W"}},
                    {"abilityId":26,"code":"fault","accessMode":"ro",
                     "typeSpec":{"type":"bitmap","label":["e1","e2"],"maxlen":2}},
                    {"abilityId":101,"code":"level","accessMode":"wr","typeSpec":{"type":"enum","range":["low","high"]}}
                    ]}]}
                    """
                )
            ]
        ],
    ]

    @Test("what is no schema is none", arguments: [[:], [], "x", 3, ["functions": []], [["id": 0]]] as [JSON])
    func noSchema(json: JSON) {
        #expect(DeviceSchema(json: json) == nil)
    }

    @Test("the mapping of a tinytuya devices.json is read")
    func mapping() throws {
        let json: JSON = [
            "20": ["code": "switch_led", "type": "Boolean", "values": "{}"],
            "22": ["code": "bright_value_v2", "type": "Integer", "values": ["min": 10, "max": 1000]],
        ]
        let schema = try #require(DeviceSchema(json: json))
        #expect(schema.point(code: "bright_value_v2")?.type == .value(ValueRange(minimum: 10, maximum: 1000)))
    }

    @Test("partial reports are merged, and stale values are told again")
    func merging() {
        var state = DataPointState()
        #expect(state.merge(StatusReport(points: [1: true, 2: "white"])).changed == [1: true, 2: "white"])
        state.markStale()
        #expect(state.isStale(1))
        let merge = state.merge(StatusReport(points: [1: true]))
        #expect(merge.changed == [:])
        #expect(merge.accepted == [1: true])
        #expect(!state.isStale(1))
        #expect(state.isStale(2))
        #expect(state.points == [1: true, 2: "white"])
    }

    @Test("a late copy is passed over, for the points that it is late for")
    func lateCopies() {
        var state = DataPointState()
        _ = state.merge(StatusReport(points: [1: true], time: 1000))
        #expect(state.merge(StatusReport(points: [1: false, 2: 5], time: 997)).accepted == [2: 5])
        #expect(state[1] == true)
        #expect(state.merge(StatusReport(points: [1: false], time: 998)).changed == [1: false])
        #expect(state.merge(StatusReport(points: [1: true])).changed == [1: true])
        #expect(state.merge(StatusReport(points: [1: false], time: .min)).accepted == [1: false])
    }

    @Test("a device that names endless points does not fill the memory")
    func manyPoints() {
        var state = DataPointState()
        for id in 0..<1000 { _ = state.merge(StatusReport(points: [id: 1])) }
        #expect(state.points.count == DataPointState.limit)
    }

    @Test("phase data is read from hex too, and its power may have a sign")
    func phase() {
        #expect(PhaseReading("0901 0004d2".filter { $0 != " " } + "00011c")?.voltage == 230.5)
        #expect(PhaseReading("CQEABNL////+")?.power == 16_777_215)
        #expect(PhaseReading("090100" + "04d2ffff" + "ff", power: .signed)?.power == -1)
        #expect(PhaseReading("") == nil)
        #expect(PhaseReading("CQEABNI=") == nil)
    }
}
