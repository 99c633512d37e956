import Crypto
import EventLoop
import JSON
import Simulators
import Testing
import TuyaProtocol

/// Frames as they were captured from the vendor's open SDK (tuya-ap-plus.md section 4.4).
private enum Captured {
    static let credentials = hex(
        "00006699000000000001000000140000006044d22c01aeda02f2dc31d5c50c1f6b72a21f25042abae94de6b9b66bf9eb44"
            + "f02c73ffae200e048a42d49b6591d96534cbe760d2533f6d693b6be1738ebcb42deef97d41eceeb38705771912a0b9ead6"
            + "ffefd2d95ad3faaae89effd80f2c0c6a00009966"
    )
    static let describe = hex(
        "000066990000000000010000001e0000003330a6c9bebad5709d729ae6a600a9e779e25688d433199717279ef3ea"
            + "827e8a12b704fab4ee5533ca0cc82b5b20cae2da771e5200009966"
    )
    static let description = hex(
        "000066990000000000000000001e000000bbd0b3896d104595aa0105879c7b4a2383b5c78264857ed803ed15ef24"
            + "5aac63336df0e94c9cbf1deee67c676eeaedfaf0d42f0d90ad123f2c4efb2df60e98f4280a35c7f304bfd4e63408"
            + "918fedde955534b4cd5b88999d08372690cd58f9939087d25f72c50bb70ba108d1d4242481b8cc6a96505e29f45b"
            + "7b6ef647dd8ba4df34e4571fd4f290a226b3f7a2ffaa13e868f3bc8b578837fa7a56cc0b5e7e2fc69888fc466e5c"
            + "3bed9f0e634c5859387af38785f8ca0f840e0a6ca900009966"
    )
    static let listTwo = hex(
        "000066990000000000030000001e000000483e688668af4203959a2d4a6a7dc834e4a1106cad1501c53b9319cb0a"
            + "d8b60e335d2dc362f233cc4e0f2d602038960422472ee55a96223e57eb47212d64b69f7c1826b266fdf567e000009966"
    )
    static let progress = hex(
        "000066990000000000040000001e0000003bbb00db834796fde065dc048c6a07d8904701a1745e0629e18907ac22"
            + "89bafb3f9a4a01f97c04a4390e82b9eb275f73020cf900e78b547dcd2bc63100009966"
    )
    static let status = hex(
        "000066990000000000000000001e00000064cc58e70c76fbc6985518a064ccbdbff67246af43d5dfe8ad533a8e1c"
            + "6d62825be3d2f8dbf918dbd91440e4c94d4f08b04453399ce2fd1bdcffc858421cb2560f55ecb6624a2854d6c545"
            + "d654a001d6c920ce3c43563a74de39f05a23e966d1e10457b45c00009966"
    )

    private static func hex(_ text: String) -> [UInt8] { (try? Hex.decode(text)) ?? [] }
}

struct HotspotResponderTests {
    private let codec: HotspotCodec
    private var plan = HotspotPlan()

    init() throws {
        codec = try HotspotCodec()
        plan.address = SocketAddress(ipv4: 0xC0A8_B001, port: 0)
    }

    private func reaction(to record: [UInt8]) throws -> HotspotReaction {
        try HotspotResponder(plan).reaction(to: record)
    }

    /// The frame of an answer, or of the answer before or after something else.
    private func frame(_ reaction: HotspotReaction) throws -> Frame {
        let bytes: [UInt8]? =
            switch reaction {
            case .answer(let bytes), .scan(let bytes), .leave(_, let bytes): bytes
            case .silence: nil
            }
        let record = try #require(bytes)
        let frame = try codec.readAnswer(record)
        return try #require(frame)
    }

    private func text(_ reaction: HotspotReaction) throws -> String {
        String(decoding: try frame(reaction).payload, as: UTF8.self)
    }

    private func ask(_ command: Command, _ body: String) throws -> HotspotReaction {
        try reaction(to: try codec.request(command, sequence: 0, body: [UInt8](body.utf8)))
    }

    @Test("captured requests are answered as they were")
    func captured() throws {
        for (request, answer) in [
            (Captured.describe, Captured.description), (Captured.progress, Captured.status),
        ] {
            #expect(try frame(reaction(to: request)) == codec.readAnswer(answer))
        }
        let reaction = try reaction(to: Captured.credentials)
        guard case .leave(let credentials, _) = reaction else {
            Issue.record("\(reaction)")
            return
        }
        #expect(
            credentials
                == HotspotCredentials(ssid: "HomeNet", password: "correct horse", token: "EUaBcDeFgHw1X2")
        )
        let frame = try frame(reaction)
        #expect(frame.returnCode == 0 && frame.payload.isEmpty && frame.sequence == 0)
        guard case .scan = try self.reaction(to: Captured.listTwo) else {
            Issue.record("a list was answered without a scan")
            return
        }
    }

    @Test(
        "unusable credentials are answered with -9, and the device stays",
        arguments: [
            "{", "[]", #"{"passwd":"x"}"#, #"{"ssid":""}"#, #"{"ssid":7}"#,
            #"{"ssid":"\#(String(repeating: "s", count: 33))"}"#,
            #"{"ssid":"a","passwd":"\#(String(repeating: "p", count: 65))"}"#,
            #"{"ssid":"a","token":"\#(String(repeating: "t", count: 17))"}"#,
        ]
    )
    func badCredentials(body: String) throws {
        let reaction = try ask(.hotspotCredentials, body)
        guard case .answer = reaction else {
            Issue.record("\(reaction)")
            return
        }
        #expect(try frame(reaction).returnCode == -9)
    }

    @Test("a network without password and token is enough; more keys do no harm")
    func fewCredentials() throws {
        let reaction = try ask(.hotspotCredentials, #"{"ssid":"Open","pv":"9.9"}"#)
        guard case .leave(let credentials, _) = reaction else {
            Issue.record("\(reaction)")
            return
        }
        #expect(credentials == HotspotCredentials(ssid: "Open", password: "", token: ""))
    }

    @Test("a block of security configurations is taken if it is whole, and never refused")
    func registration() throws {
        for (level, block, expected) in [
            (0, #"{"pub":1,"url0":"a"}"#, HotspotCredentials.Registration.taken),
            (0, #"{"url0":"a"}"#, .ignored),
            (1, #"{"pub":1,"url0":"a","url1":"b","ca":"-----BEGIN CERTIFICATE-----"}"#, .taken),
            (1, #"{"pub":1,"url0":"a","url1":"b","ca":"nonsense"}"#, .ignored),
            (1, #"{"pub":1,"url0":"a"}"#, .ignored),
        ] {
            let credentials = HotspotCredentials(
                [UInt8](#"{"ssid":"a","reg":\#(block)}"#.utf8),
                securityLevel: level
            )
            #expect(credentials?.registration == expected)
        }
    }

    @Test(
        "malformed requests meet silence",
        arguments: [
            "nonsense", "{}", #"{"reqType":7}"#, #"{"reqType":"get_wifi_list"}"#,
            #"{"reqType":"get_wifi_list","data":{}}"#,
        ]
    )
    func silence(body: String) throws {
        guard case .silence = try ask(.hotspotExtension, body) else {
            Issue.record("answered")
            return
        }
    }

    @Test("an unknown request is answered empty, an unknown command not at all")
    func unknown() throws {
        let frame = try frame(ask(.hotspotExtension, #"{"reqType":"sing"}"#))
        #expect(frame.returnCode == 0 && frame.payload.isEmpty)
        guard case .silence = try ask(Command(rawValue: 0x16), "{}") else {
            Issue.record("answered")
            return
        }
    }

    @Test("the list is unsorted, without hidden names, and as long as it is asked to be")
    mutating func list() throws {
        plan.networks = [
            ScriptedNetwork(ssid: "Far", signal: -80), ScriptedNetwork(ssid: "", signal: -30),
            ScriptedNetwork(ssid: "Near", password: "12345678", signal: -31),
            ScriptedNetwork(ssid: "Secret", isHidden: true), ScriptedNetwork(ssid: "Café ☕", signal: -50),
        ]
        func names(_ count: String) throws -> [String]? {
            let text = try text(ask(.hotspotExtension, #"{"reqType":"get_wifi_list","data":{"cnt":\#(count)}}"#))
            #expect(text.hasPrefix(#"{"reqType":"wifi_list_rpt","data":{"wifi_list":["#))
            return text.split(separator: #""ssid":""#).dropFirst().map { String($0.prefix { $0 != "\"" }) }
        }
        #expect(try names("20") == ["Far", "Near", "Café ☕"])
        #expect(try names("2") == ["Far", "Near"])
        #expect(try names("0") == [])
        #expect(try names(#""7""#) == [])
        #expect(try names("-1") == ["Far", "Near", "Café ☕"])
        #expect(
            try text(ask(.hotspotExtension, #"{"reqType":"get_wifi_list","data":{"cnt":2}}"#))
                == #"{"reqType":"wifi_list_rpt","data":{"wifi_list":[{"ssid":"Far","rssi":-80,"sec":0},"#
                + #"{"ssid":"Near","rssi":-31,"sec":4}]}}"#
        )
    }

    @Test("names are not escaped, and 120 networks do not fit")
    mutating func listLimits() throws {
        plan.networks = [ScriptedNetwork(ssid: #"He said "hi" \ "#)]
        plan.networks += (0..<120).map { ScriptedNetwork(ssid: "Network number \($0) of the long street") }
        let reaction = try ask(.hotspotExtension, #"{"reqType":"get_wifi_list","data":{"cnt":200}}"#)
        let text = try text(reaction)
        #expect(text.contains(#"{"ssid":"He said "hi" \ ","rssi""#))
        guard case .scan(let bytes) = reaction else { return }
        #expect(bytes.count <= HotspotCodec.maximumFrame && bytes.count > HotspotCodec.maximumFrame - 80)
        let read = try #require(WiFiNetwork.list([UInt8](text.utf8)))
        #expect(read.count > 50 && read.count < 121)
        #expect(read.contains { $0.ssid == #"He said "hi" \ "# })
    }

    @Test("a wrong key and a wrong end are answered with 1 under the same command")
    func wrongKey() throws {
        var frame = Captured.describe
        frame[40] ^= 1
        for record in [frame, [UInt8](Captured.describe.dropLast()) + [0x67]] {
            let answer = try self.frame(reaction(to: record))
            #expect(answer.returnCode == 1 && answer.command == .hotspotExtension && answer.payload.isEmpty)
        }
    }

    @Test("one frame is read from a record: parts and seconds are lost, junk before it is skipped")
    func records() throws {
        let frame = Captured.describe
        #expect(try self.frame(reaction(to: [UInt8](frame[..<60]))).returnCode == 1)
        for part in [[UInt8](frame[..<49]), [UInt8](frame[60...])] {
            guard case .silence = try reaction(to: part) else {
                Issue.record("a part was answered")
                return
            }
        }
        #expect(try text(reaction(to: frame + Captured.progress)).contains("query_dev_rpt"))
        #expect(try text(reaction(to: [0, 0, 0x66, 1, 2, 3] + frame)).contains("query_dev_rpt"))
    }

    @Test("the status is a constant, unless the firmware says what failed")
    mutating func status() throws {
        func status(_ failure: Int) throws -> String {
            var responder = try HotspotResponder(plan)
            responder.lastFailure = failure
            return try text(responder.reaction(to: Captured.progress))
        }
        #expect(try status(3) == #"{"reqType":"netcfg_stat_rpt","data":{"type":1,"stage":2,"status":0}}"#)
        plan.reportsFailures = true
        #expect(try status(3) == #"{"reqType":"netcfg_stat_rpt","data":{"type":1,"stage":2,"status":3}}"#)
    }

    @Test("what it says about itself can be changed")
    mutating func extraFields() throws {
        plan.extraFields = ["active": 2, "apConfigType": .null, "mv": "1"]
        let responder = try HotspotResponder(plan)
        #expect(responder.description.contains(#""active":2"#) && responder.description.contains(#""mv":"1""#))
        #expect(!responder.description.contains("apConfigType"))
    }

    @Test("what joining comes to: the password counts, then the script")
    mutating func outcomes() {
        plan.networks = JoinOutcome.allCases.map {
            ScriptedNetwork(ssid: $0.rawValue, password: "12345678", outcome: $0)
        }
        for outcome in JoinOutcome.allCases {
            func come(_ password: String) -> JoinOutcome {
                plan.outcome(of: HotspotCredentials(ssid: outcome.rawValue, password: password, token: ""))
            }
            #expect(come("12345678") == outcome)
            let checks = [JoinOutcome.joins, .cloudRefuses, .cloudUnreachable].contains(outcome)
            #expect(come("wrong") == (checks ? .wrongPassword : outcome))
        }
        #expect(plan.outcome(of: HotspotCredentials(ssid: "?", password: "", token: "")) == .notFound)
    }
}
