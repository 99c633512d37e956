import HomeModel
import JSON
import PluginWire
import Testing

@Suite("PluginNote")
struct PluginNoteTests {
    private static let lamp = VendorID("bf01")
    private static let moment = Timestamp(milliseconds: 1_796_040_000_123)

    @Test(
        "every notification reads back as it was written",
        arguments: [
            PluginNote.added(
                DescribedNote(
                    description: DeviceDescription(
                        vendorID: lamp,
                        name: "Desk",
                        kind: .light,
                        properties: [PropertyDescription("power", title: "Power", role: .power, schema: .boolean)]
                    ),
                    secrets: Secrets(["local_key": "k"])
                )
            ),
            .changed(DescribedNote(description: DeviceDescription(vendorID: lamp, name: "Desk"))),
            .removed(lamp),
            .state(
                StateNote(device: lamp, sequence: 4, at: moment, state: ["power": true, "color": ["h": 1, "s": 2]])
            ),
            .event(EventNote(device: lamp, sequence: 5, at: moment, event: "pressed", data: .null)),
            .connectivity(ConnectivityNote(device: lamp, connectivity: .online)),
            .connectivity(
                ConnectivityNote(
                    device: lamp,
                    connectivity: Connectivity(isOnline: false, reason: .keyChanged, detail: "Pair it again.")
                )
            ),
            .status(StatusNote(state: "needs_user", detail: "The password is wrong.")),
            .log(LogNote(level: "info", message: "Found.", metadata: ["b": "1", "a": "2"])),
        ]
    )
    func roundTrip(note: PluginNote) throws {
        guard case .notification(let method, let params) = try WireMessage(line: note.line.dropLast()) else {
            Issue.record("not a notification")
            return
        }
        #expect(try PluginNote(method: method, params: params) == note)
    }

    @Test("the hot notification has the documented form")
    func form() {
        let note = StateNote(device: Self.lamp, sequence: 4, at: Self.moment, state: ["power": true])
        #expect(
            String(decoding: note.line, as: UTF8.self)
                == #"{"jsonrpc":"2.0","method":"device/state","params":"#
                + #"{"device":"bf01","seq":4,"at":1796040000123,"state":{"power":true}}}"# + "\n"
        )
    }

    @Test("an unknown notification is nothing, not an error")
    func unknown() throws {
        #expect(try PluginNote(method: "device/sang", params: JSONObject()) == nil)
    }

    @Test("a known notification with wrong parameters is refused")
    func refused() {
        #expect(throws: WireFailure.self) { try PluginNote(method: "device/state", params: ["device": "a"]) }
        #expect(throws: WireFailure.self) {
            try PluginNote(method: "device/added", params: ["device": ["vendorId": ""]])
        }
        #expect(throws: WireFailure.self) {
            try PluginNote(method: "device/added", params: ["device": ["vendorId": "a"], "secrets": ["k": 1]])
        }
    }
}
