import HomeModel
import JSON
import PluginWire
import Testing

@Suite("PluginCall")
struct PluginCallTests {
    @Test(
        "every request reads back as it was written",
        arguments: [
            PluginCall.storeSecret(device: VendorID("bf01"), name: "local_key", value: HiddenText("k")),
            .storeSecret(device: nil, name: "token", value: HiddenText("")),
            .storedValue(key: "k"),
            .storeValue(key: "k", value: ["a": [1, nil]]),
            .storeValue(key: "k", value: .null),
            .storeValue(key: "k", value: nil),
        ]
    )
    func roundTrip(call: PluginCall) throws {
        let line = call.line(id: .text("p1"))
        guard case .request(.text("p1"), let method, let params) = try WireMessage(line: line.dropLast()) else {
            Issue.record("not a request")
            return
        }
        #expect(try PluginCall(method: method, params: params) == call)
    }

    @Test("values that are too large are refused by code")
    func tooLarge() throws {
        let long = String(repeating: "x", count: PluginCall.maxValueBytes + 1)
        for (method, params) in [
            ("store/set", ["key": "k", "value": .string(long)] as JSONObject),
            ("secret/store", ["name": "k", "value": .string(long)]),
        ] {
            let failure = #expect(throws: WireFailure.self) { try PluginCall(method: method, params: params) }
            #expect(failure.map(CommandError.init)?.code == .tooLarge)
        }
    }

    @Test("an empty or overlong key is refused", arguments: ["", String(repeating: "k", count: 129)])
    func key(key: String) {
        #expect(throws: WireFailure.self) { try PluginCall(method: "store/get", params: ["key": .string(key)]) }
    }

    @Test("an unknown request is not found")
    func unknown() {
        #expect(throws: WireFailure.unknown("wifi/fly")) { try PluginCall(method: "wifi/fly", params: JSONObject()) }
    }
}
