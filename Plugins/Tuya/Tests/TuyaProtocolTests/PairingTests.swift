import JSON
import Testing
import TuyaProtocol

struct PairingTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("credentials are written as devices read them, with quotes escaped and blanks kept")
    func credentials() throws {
        let token = try #require(PairingToken("EUaBcD1234zY9x"))
        let plain = try PairingCredentials(ssid: "HomeNet", password: "correct horse", token: token)
        #expect(text(plain.body) == #"{"ssid":"HomeNet","passwd":"correct horse","token":"EUaBcD1234zY9x"}"#)
        let quoted = try PairingCredentials(ssid: "Küche 2,4", password: #"a"b\cdefg"#, token: nil)
        #expect(text(quoted.body) == #"{"ssid":"Küche 2,4","passwd":"a\"b\\cdefg"}"#)
        let registered = try PairingCredentials(
            ssid: "Cafe",
            password: "",
            token: nil,
            registration: ["pub": 1, "url0": "h3.dns.example"]
        )
        #expect(text(registered.body) == #"{"ssid":"Cafe","passwd":"","reg":{"pub":1,"url0":"h3.dns.example"}}"#)
        #expect(!"\(plain)".contains("horse"))
    }

    @Test("a network's name and password have limits")
    func limits() {
        #expect(throws: PairingCredentials.Problem.ssidLength(0)) {
            try PairingCredentials(ssid: "", password: "", token: nil)
        }
        #expect(throws: PairingCredentials.Problem.ssidLength(33)) {
            try PairingCredentials(ssid: String(repeating: "x", count: 33), password: "", token: nil)
        }
        for count in [1, 4, 6, 7, 65] {
            #expect(throws: PairingCredentials.Problem.passwordLength(count)) {
                try PairingCredentials(ssid: "x", password: String(repeating: "p", count: count), token: nil)
            }
        }
        #expect(PairingToken("EUaBcD1234zY9") == nil)
        #expect(PairingToken("EUaBcD1234zY9xx") == nil)
        #expect(PairingToken("EUaBcD1234zY9 ") == nil)
    }

    @Test("a datagram that no device can hold is refused before it is sent")
    func tooLong() throws {
        let credentials = try PairingCredentials(
            ssid: String(repeating: "s", count: 32),
            password: String(repeating: "\u{1}", count: 64),
            token: PairingToken("EUaBcD1234zY9x")
        )
        let error = #expect(throws: TuyaProtocolError.self) { try LegacyPairing.datagram(credentials) }
        #expect(error?.code == "too_long")
    }

    @Test("requests in the hotspot have their bodies")
    func requests() {
        #expect(text(HotspotRequest.describeDevice.body) == #"{"reqType":"query_dev"}"#)
        #expect(
            text(HotspotRequest.listNetworks(limit: 20).body) == #"{"reqType":"get_wifi_list","data":{"cnt":20}}"#
        )
        #expect(text(HotspotRequest.describeProgress.body) == #"{"reqType":"query_netcfg_stat"}"#)
    }

    @Test("networks come strongest first, without hidden ones")
    func networks() throws {
        let body = #"""
            {"reqType":"wifi_list_rpt","data":{"wifi_list":[{"ssid":"Far","rssi":-80,"sec":4},{"ssid":"","rssi":-20,"sec":0},
            {"ssid":"Near","rssi":-40,"sec":0}]}}
            """#
        let list = try #require(WiFiNetwork.list([UInt8](body.utf8)))
        #expect(list.map(\.ssid) == ["Near", "Far"])
        #expect(list.map(\.isSecured) == [false, true])
        #expect(WiFiNetwork.list([UInt8](#"{"reqType":"wifi_list_rpt","data":{"wifi_list":[]}}"#.utf8)) == [])
        #expect(WiFiNetwork.list([UInt8]("{}".utf8)) == nil)
        #expect(WiFiNetwork.list([]) == nil)
    }

    @Test("a quote in a neighbour's name does not lose the list")
    func quotedName() {
        let body = #"""
            {"reqType":"wifi_list_rpt","data":{"wifi_list":[{"ssid":"He said "hi"","rssi":-60,"sec":3},
            {"ssid":"a\b","rssi":-50,"sec":4},{"ssid":"cut","rssi":
            """#
        let list = WiFiNetwork.list([UInt8](body.utf8))
        #expect(
            list == [
                WiFiNetwork(ssid: #"a\b"#, signal: -50, security: 4),
                WiFiNetwork(ssid: #"He said "hi""#, signal: -60, security: 3),
            ]
        )
    }

    @Test("the cloud's number may be a text, and a list may be missing")
    func cloudVariants() {
        #expect(CloudOutcome(["success": false, "code": "1010"]) == .tokenExpired)
        #expect(CloudOutcome(["code": 7, "msg": "odd"]) == .error(code: 7, message: "odd"))
        #expect(CloudOutcome(nil) == .error(code: nil, message: ""))
        #expect(PairingPoll(["success": true, "result": ["success": nil, "failed": nil]]) == .pending)
        #expect(
            PairingPoll(["success": true, "result": ["success": [["id": "a"]], "error": [["id": "b", "code": 3]]]])
                == .paired(
                    deviceIDs: ["a"],
                    failures: [PairingPoll.Failure(deviceID: "b", code: "3", message: "")]
                )
        )
        #expect(PairingPoll(["success": false, "code": 1010]) == .cloudError(.tokenExpired))
    }
}
