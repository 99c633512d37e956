import JSON
import Testing
import TuyaProtocol

struct DataPointVectorTests {
    @Test("a raw value stands for a number or faults, and back", arguments: VectorFile.vectors(of: "dp_value"))
    func values(_ vector: Vector) throws {
        let schema = try #require(
            DeviceSchema(json: [
                ["id": 1, "mode": "rw", "type": "obj", "property": .object(try vector.object("schema"))]
            ])
        )
        let point = try #require(schema[1])
        let input = try #require(vector["input"])
        let expected = try #require(vector["expect"])
        let result = try vector.text("op") == "out" ? point.engineering(input) : point.raw(input)
        if let number = expected.doubleValue {
            #expect(abs(try #require(result?.doubleValue) - number) < 1e-9)
        } else {
            #expect(result == expected)
        }
    }

    @Test("phase data has voltage, current and power", arguments: VectorFile.vectors(of: "phase_a"))
    func phase(_ vector: Vector) throws {
        let reading = try #require(PhaseReading(try vector.text("base64")))
        let expected = try vector.nested("expect")
        #expect(abs(reading.voltage - (try expected.number("voltage_v"))) < 1e-9)
        #expect(abs(reading.current - (try expected.number("current_a"))) < 1e-9)
        #expect(abs(reading.power - (try expected.number("power_w"))) < 1e-9)
    }
}
