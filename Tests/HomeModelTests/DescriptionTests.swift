import HomeModel
import JSON
import Testing

@Suite("Descriptions")
struct DescriptionTests {
    private let lamp = DeviceDescription(
        vendorID: VendorID("x"),
        name: "Lamp",
        kind: .light,
        manufacturer: "M",
        model: "N",
        modelID: "O",
        firmware: "1",
        mac: "02:00:5e:10:00:01",
        via: VendorID("hub"),
        isBatteryPowered: true,
        properties: [
            PropertyDescription("power", title: "Power", role: .power, schema: .boolean),
            PropertyDescription(
                "level",
                title: "Level",
                schema: .integer(0...100, step: 5, unit: "%"),
                access: .readOnly
            ),
            PropertyDescription(
                "faults",
                title: "Faults",
                role: .fault,
                schema: .array(of: .choice(["a", "b"])),
                isExpertOnly: true
            ),
            PropertyDescription(
                "color",
                title: "Colour",
                schema: .object([.init("h", .number(0...360.5)), .init("s", .any, isRequired: false)])
            ),
        ],
        actions: [
            ActionDescription("snap", title: "Snap", input: .string(maxLength: 5), output: .boolean, deadlineMs: 500)
        ],
        events: [EventDescription("ring", title: "Ring", data: .boolean)]
    )

    @Test("a description survives its JSON form")
    func roundTrip() throws {
        #expect(try DeviceDescription(json: JSON.parse(lamp.json.serialized())) == lamp)
    }

    @Test(
        "a wrong description is refused with the key that is wrong",
        arguments: [
            ("{}", "vendorId"), (#"{"vendorId":"x","properties":{"A":{}}}"#, "properties.A"),
            (#"{"vendorId":"x","properties":{"_meta":{}}}"#, "properties._meta"),
            (#"{"vendorId":"x","properties":{"clamp":{}}}"#, "properties.clamp"),
            (#"{"vendorId":"x","properties":{"a":{"type":"float"}}}"#, "properties.a.type"),
            (#"{"vendorId":"x","properties":{"a":{"access":"x"}}}"#, "properties.a.access"),
            (#"{"vendorId":"x","actions":{"a":{"input":{"items":3}}}}"#, "actions.a.input.items"),
        ]
    )
    func refused(text: String, key: String) throws {
        let json = try JSON.parse(text)
        let error = #expect(throws: CommandError.self) { try DeviceDescription(json: json) }
        #expect(error?.message.contains(key) == true, "\(error?.message ?? "")")
    }

    @Test("names are trimmed, and those with control characters or over 64 characters are none")
    func names() {
        #expect(DeviceName.cleaned("  Desk lamp \n") == "Desk lamp")
        #expect(DeviceName.cleaned("a\u{1}b") == nil)
        #expect(DeviceName.cleaned(" ") == nil)
        #expect(DeviceName.cleaned(String(repeating: "ä", count: 64)) != nil)
        #expect(DeviceName.cleaned(String(repeating: "ä", count: 65)) == nil)
    }

    @Test("every code of the wire has one number, and the number leads back to it")
    func codes() {
        let numbers = ErrorCode.allCases.compactMap(\.wireNumber)
        #expect(Set(numbers).count == numbers.count)
        for code in ErrorCode.allCases {
            if let number = code.wireNumber { #expect(ErrorCode(wireNumber: number) == code) }
        }
        #expect(ErrorCode(wireNumber: 1) == nil)
    }

    @Test("a whole number may be written with a zero fraction, and becomes an integer")
    func integral() throws {
        #expect(try DataSchema.integer(0...10).validate(3.0, at: "x") == .integer(3))
        #expect(throws: CommandError.self) { try DataSchema.integer(0...10).validate(3.5, at: "x") }
    }
}
