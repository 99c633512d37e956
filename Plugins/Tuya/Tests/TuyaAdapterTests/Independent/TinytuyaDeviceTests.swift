import DeviceInterface
import EventLoop
import HomeModel
import JSON
import Testing
import TuyaAdapter

/// Our client against frames that no code of ours has made.
@Suite(
    "A device made with tinytuya's code",
    .timeLimit(.minutes(1)),
    .enabled("tinytuya is not installed for \(TinytuyaDevice.interpreter); LINTEL_PYTHON names another interpreter") {
        await TinytuyaDevice.isPossible()
    }
)
@Loop
struct TinytuyaDeviceTests {
    @Test("is found to be a lamp, commanded and confirmed", arguments: ["3.1", "3.3", "3.4", "3.5"])
    func control(version: String) async throws {
        let id = VendorID("bf0123456789abcdefgh")
        let key = "p'&T=5-4u#Xq!a0Z"
        let device = try TinytuyaDevice(version: version, id: id.text, key: key)
        defer { device.stop() }
        var lines = device.lines.makeAsyncIterator()
        let port = try #require(await lines.next()?["port"]?.intValue)
        let rig = try await AdapterRig([
            "devices": [
                [
                    "id": .string(id.text), "local_key": .string(key), "address": "127.0.0.1", "port": JSON(port),
                    "version": .string(version),
                ]
            ],
            "discovery": ["enabled": false], "timing": quickTiming,
        ])
        await rig.host.untilOnline(id)
        #expect(rig.host.descriptions[id]?.kind == .light)
        await rig.host.until(id, shows: ["power": true, "brightness": 255, "mode": "white"])
        try await rig.confirm(id, ["power": false])
        #expect(await lines.next()?["set"] == ["20": false])
        try await rig.confirm(id, ["power": true, "color": ["h": 240, "s": 100], "brightness": 255])
        #expect(await lines.next()?["set"] == ["20": true, "21": "colour", "24": "00f003e803e8"])
        #expect(try await rig.read(id).get()["mode"] == "color")
        await rig.adapter.stop()
    }
}
