import HomeModel
import JSON
import PluginWire
import Testing

@Suite("PluginCall")
struct PluginCallTests {
    private static let session = PairingID.derived(from: "p-1", isTaken: { _ in false }, digest: { $0 })

    @Test(
        "every request reads back as it was written",
        arguments: [
            PluginCall.storeSecret(device: VendorID("bf01"), name: "local_key", value: HiddenText("k")),
            .storeSecret(device: nil, name: "token", value: HiddenText("")),
            .storedValue(key: "k"),
            .storeValue(key: "k", value: ["a": [1, nil]]),
            .storeValue(key: "k", value: .null),
            .storeValue(key: "k", value: nil),
            .scanWiFi(session),
            .joinWiFi(session, ssid: "Lamp 1", passphrase: HiddenText("p")),
            .joinWiFi(session, ssid: String(repeating: "é", count: 16), passphrase: nil),
            .leaveWiFi(session),
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

    @Test(
        "a request for Wi-Fi with wrong parameters is refused with the key",
        arguments: [
            ("wifi/scan", #"{}"#, #"wifi/scan: "session" must be text."#),
            ("wifi/leave", #"{"session":"-"}"#, #"wifi/leave: "session" must be a session id."#),
            ("wifi/join", #"{"session":"p-1"}"#, #"wifi/join: "ssid" must be text."#),
            ("wifi/join", #"{"session":"p-1","ssid":""}"#, #"wifi/join: "ssid" must have 1 to 32 bytes."#),
            (
                "wifi/join", #"{"session":"p-1","ssid":"123456789012345678901234567890123"}"#,
                #"wifi/join: "ssid" must have 1 to 32 bytes."#
            ),
            (
                "wifi/join", #"{"session":"p-1","ssid":"a","passphrase":1}"#,
                #"wifi/join: "passphrase" must be text."#
            ),
        ]
    )
    func wifi(method: String, params: String, message: String) throws {
        let members = try #require(try JSON.parse(params).objectValue)
        #expect(throws: WireFailure(code: WireFailure.invalidParams, message: message)) {
            try PluginCall(method: method, params: members)
        }
    }

    @Test("a passphrase that is too long is refused without its text")
    func passphrase() throws {
        let long = String(repeating: "x", count: 65)
        let failure = #expect(throws: WireFailure.self) {
            try PluginCall(method: "wifi/join", params: ["session": "p", "ssid": "a", "passphrase": .string(long)])
        }
        #expect(failure?.message == #"wifi/join: "passphrase" must have at most 64 bytes."#)
    }

    @Test("answers about Wi-Fi read back as they were written")
    func answers() throws {
        let scan = WiFiScanAnswer(networks: [
            WiFiSighting(ssid: "home", bssid: "02:00:00:00:00:01", signal: -40, frequency: 2437, isSecured: true),
            WiFiSighting(ssid: "café", isSecured: false),
        ])
        #expect(try WiFiScanAnswer(json: scan.json) == scan)
        #expect(try WiFiScanAnswer(json: ["networks": []]).networks.isEmpty)
        for place in [
            WiFiPlace(interface: "wlan0", address: "192.168.176.2", prefix: 24, gateway: "192.168.176.1"),
            WiFiPlace(interface: "wlan0", address: "10.0.0.2", prefix: 0),
        ] {
            #expect(try WiFiJoinAnswer(json: WiFiJoinAnswer(place: place).json).place == place)
        }
    }

    @Test(
        "an answer about Wi-Fi that is none is a fault",
        arguments: [
            #"{}"#, #"{"networks":{}}"#, #"{"networks":[1]}"#, #"{"networks":[{"ssid":"a"}]}"#,
            #"{"networks":[{"secured":true}]}"#, #"{"interface":"w","address":"1.2.3.4","prefix":33}"#,
            #"{"interface":"w","prefix":8}"#,
        ]
    )
    func badAnswers(text: String) throws {
        let json = try JSON.parse(text)
        #expect(throws: WireFault.self) { try WiFiScanAnswer(json: json) }
        #expect(throws: WireFault.self) { try WiFiJoinAnswer(json: json) }
    }

    @Test("an unknown request is not found")
    func unknown() {
        #expect(throws: WireFailure.unknown("wifi/fly")) { try PluginCall(method: "wifi/fly", params: JSONObject()) }
    }
}
