import HomeModel
import JSON
import Testing
import TuyaAdapter
import TuyaProtocol

@Suite("Configuration")
struct TuyaConfigTests {
    private let key = "0123456789abcdef"

    private func problems(_ json: JSON) -> String {
        do throws(CommandError) {
            _ = try TuyaConfig(json: json)
            return ""
        } catch {
            #expect(error.code == .invalidConfig)
            return error.message
        }
    }

    @Test("nothing at all is a configuration without devices")
    func empty() throws {
        #expect(try TuyaConfig(json: .null) == TuyaConfig())
        #expect(try TuyaConfig(json: [:]) == TuyaConfig())
    }

    @Test("every key is read")
    func whole() throws {
        let config = try TuyaConfig(json: [
            "devices": [
                [
                    "id": "bf01", "local_key": .string(key), "address": "192.168.1.20", "port": 7000, "version": "3.3",
                    "name": "Lamp", "product": "key1", "category": "dj",
                    "schema": [["id": 1, "property": ["type": "bool"]]],
                    "light": [
                        "type": "RGBCW", "generation": 1, "kelvin": [2200, 6000], "reversed": true,
                        "scenes": ["a": "00"],
                    ],
                    "dialect": "device22", "split": true, "battery": true,
                    "refresh": ["dps": [18, 19], "interval": 60],
                    "query_interval": 0, "phase": ["dps": [6], "signed": true], "treat_unknown_version_as": "3.5",
                ],
                ["id": "child", "hub": "bf01", "cid": "a4c1"],
            ],
            "discovery": ["enabled": false, "ports": [6667], "interfaces": ["eth0"], "targets": ["10.0.0.7"]],
            "set_pause_ms": 0, "timing": ["heartbeat_ms": 5000],
        ])
        let device = try #require(config.device("bf01"))
        #expect(device.localKey == (try LocalKey(key)))
        #expect(device.address == "192.168.1.20" && device.port == 7000 && device.version == .v33)
        #expect(device.light.kind == .colorAndTunableWhite && device.light.generation == 1)
        #expect(device.light.kelvin == 2200...6000 && device.light.isTemperatureReversed)
        #expect(device.light.scenes == [LightSettings.Scene(name: "a", data: "00")])
        #expect(device.dialect == .listed && device.splitsSets && device.isBatteryPowered)
        #expect(device.refresh == RefreshSettings(points: [18, 19], interval: .seconds(60)))
        #expect(device.queryInterval == nil && device.phasePoints == [6] && device.phasePowerIsSigned)
        #expect(device.treatUnknownVersionAs == .v35)
        #expect(config.device("child")?.hub == "bf01" && config.device("child")?.childID == "a4c1")
        #expect(!config.discovery.isEnabled && config.discovery.ports == [6667])
        #expect(config.times.setPause == .zero && config.times.heartbeat == .seconds(5))
    }

    @Test("a version may be a number, as YAML makes one of 3.3, and auto is none")
    func versions() throws {
        for (value, expected) in [(3.3, .v33), (3.5, .v35), ("auto", nil), ("3.1", .v31)] as [(JSON, ProtocolVersion?)]
        {
            let json: JSON = ["devices": [["id": "a", "local_key": .string(key), "version": value]]]
            #expect(try TuyaConfig(json: json).devices[0].version == expected)
        }
    }

    @Test("every problem is told at once, with its key path")
    func everyProblem() {
        let text = problems([
            "devices": [
                ["id": "a", "local_key": .string(key), "adress": "1.2.3.4"],
                ["local_key": .string(key)],
                ["id": "c", "local_key": "short", "address": "lamp.local", "version": "4.0", "port": 0],
                ["id": "d"],
                ["id": "a", "local_key": .string(key)],
                ["id": "e", "cid": "1"],
                ["id": "f", "hub": "f", "cid": "x"],
                "text",
            ],
            "set_pause_ms": -1, "discoveri": [:],
        ])
        for expected in [
            "devices[0].adress: is not a known key; did you mean address?", "devices[1].id: is missing",
            "devices[2].local_key - a local key has 16 characters", "devices[2].address: must be an IP address",
            "devices[2].version: must be one of", "devices[2].port: must be a whole number from 1 to 65535",
            "devices[3].local_key - is missing", "devices[4].id: is the id of another device",
            "devices[5].hub: is missing",
            "devices[6].hub: is the device itself", "devices[7]: must be an object",
            "set_pause_ms: must be a whole number",
            "discoveri: is not a known key; did you mean discovery?",
        ] { #expect(text.contains(expected), "\(expected)\nin: \(text)") }
    }

    @Test("quirk 30: a key with HTML entities is explained, not repaired, and not repeated")
    func entities() {
        let text = problems(["devices": [["id": "a", "local_key": "abc&amp;defghijklmno"]]])
        #expect(text.contains("HTML entities") && text.contains("20"))
        #expect(!text.contains("defghij"))
    }

    @Test(
        "quirk 30: any sixteen characters are a key, with blanks and signs as they are",
        arguments: [
            "p'&T=5-4u#Xq!a0Z", " <>\"\\ blank at e", "{}[]()^~|;:,.?/%",
        ]
    )
    func rawKeys(text: String) throws {
        let json: JSON = ["devices": [["id": "a", "local_key": .string(text)]]]
        #expect(try TuyaConfig(json: json).devices[0].localKey == (try LocalKey(text)))
    }

    @Test("a key that YAML took for a number is told to be put in quotes, without saying it")
    func numberKey() {
        let text = problems(["devices": [["id": "a", "local_key": 1_234_567_890_123_456]]])
        #expect(text.contains("quotes") && !text.contains("1234567890"))
    }
}
