import EventLoop
import JSON
import Simulators
import Testing
import TuyaProtocol

@Suite("Control of simulated devices that are to be paired", .timeLimit(.minutes(1)))
struct HotspotControlTests {
    private static let plan: JSON = [
        "devices": [
            [
                "address": "127.77.200.1", "lan": ["address": "127.78.200.1", "port": 0], "announce_to": "127.0.0.1",
                "ports": ["channel": 0, "announcement": 46_667],
            ]
        ]
    ]

    @Loop
    private func withControl(_ body: (HotspotControl, HotspotLamp) throws -> Void) throws {
        let house = try HotspotHouse(Self.plan)
        try house.start()
        defer { house.stop() }
        try body(HotspotControl(house), house.devices[0])
    }

    @Test("buttons, outcomes and changes take effect")
    @Loop func commands() throws {
        try withControl { control, device in
            #expect(control.perform(#"{"device":1,"press":"off"}"#) == #"{"ok":true}"#)
            #expect(device.phase == .off && device.channelAddress == nil)
            #expect(control.perform(#"{"device":"all","press":"reset"}"#) == #"{"ok":true}"#)
            #expect(device.phase == .hotspot)
            _ = control.perform(#"{"device":1,"network":"HomeNet","outcome":"not_found"}"#)
            #expect(device.plan.networks[0].outcome == .notFound)
            _ = control.perform(#"{"device":1,"change":{"join_ms":5,"loses_answer":true}}"#)
            #expect(device.plan.joinTime == .milliseconds(5) && device.plan.losesAnswer)
            let shown = try JSON.parse(control.perform(#"{"device":1,"show":true}"#))["devices"]?[0]
            #expect(shown?["phase"]?.stringValue == "hotspot")
            #expect(shown?["channel"]?.stringValue?.hasPrefix("127.77.200.1:") == true)
            #expect(control.perform("help").contains(#""press":"confirm""#))
        }
    }

    @Test(
        "what cannot be done is refused with a reason",
        arguments: [
            "nonsense", "{}", #"{"device":2,"press":"reset"}"#, #"{"device":1}"#, #"{"device":1,"press":"hard"}"#,
            #"{"device":1,"network":"Nowhere","outcome":"joins"}"#, #"{"device":1,"network":"HomeNet"}"#,
            #"{"device":1,"change":{"size":1}}"#, #"{"device":1,"set":{"20":true}}"#,
        ]
    )
    @Loop func refusals(line: String) throws {
        try withControl { control, device in
            let answer = try JSON.parse(control.perform(line))
            #expect(answer["ok"] == false && answer["error"]?.stringValue?.isEmpty == false)
            #expect(device.phase == .hotspot)
        }
    }
}
