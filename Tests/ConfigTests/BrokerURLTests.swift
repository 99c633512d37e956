import Config
import Log
import Testing

@Suite("Configuration: addresses and topics")
struct BrokerURLTests {
    @Test(
        "an address gives host, port and encryption",
        arguments: [
            ("mqtt://host", .remote(host: "host", port: 1883), false),
            ("mqtts://host", .remote(host: "host", port: 8883), true),
            ("MQTT://host:1/", .remote(host: "host", port: 1), false),
            ("mqtt://[::1]", .remote(host: "::1", port: 1883), false),
            ("mqtts://[fe80::1%25eth0]:99", .remote(host: "fe80::1%25eth0", port: 99), true),
            ("embedded", .embedded(port: 1883), false), ("embedded:1884", .embedded(port: 1884), false),
        ] as [(String, MQTTSettings.Broker, Bool)]
    )
    func valid(text: String, broker: MQTTSettings.Broker, isEncrypted: Bool) throws {
        let mqtt = try parse("mqtt: {url: '\(text)'}").mqtt
        #expect(mqtt.broker == broker)
        #expect((mqtt.tls != nil) == isEncrypted)
    }

    @Test(
        "credentials in an address are unescaped",
        arguments: [
            ("mqtt://me@h", "me", nil), ("mqtt://me:pass@h", "me", "pass"), ("mqtt://a%40b:p%3Aq%25@h", "a@b", "p:q%"),
            ("mqtt://me:p@ss:w@h", "me", "p@ss:w"), ("mqtt://me:@h", "me", ""), ("mqtt://%C3%A4:x@h", "ä", "x"),
        ] as [(String, String, String?)]
    )
    func credentials(text: String, user: String, password: String?) throws {
        let configuration = try parse("mqtt: {url: '\(text)'}")
        #expect(configuration.mqtt.username == user)
        #expect(configuration.mqtt.password?.exposed == password)
        #expect(configuration.mqtt.broker == .remote(host: "h", port: 1883))
        #expect(configuration.warnings.count == (password == nil ? 0 : 1))
    }

    @Test(
        "what is no address is refused",
        arguments: [
            "host", "host:1883", "mqtt:host", "mqtt://", "mqtt:///", "mqtt://:1883", "mqtt://h:0", "mqtt://h:65536",
            "mqtt://h:",
            "mqtt://h:1x", "mqtt://h:+1", "mqtt://h/path", "mqtt://h?x=1", "mqtt://::1", "mqtt://fd00::1:1883",
            "mqtt://[::1",
            "mqtt://[host]", "mqtt://[::1]x", "mqtt://@h", "mqtt://:p@h", "mqtt://u:%zz@h", "mqtt://u:%@h",
            "mqtt://u:%ff@h",
            "mqtt://a b", "http://h", "ws://h", "wss://h", "ssl://h", "embedded:", "embedded:x", "embedded:0",
            "Embedded",
        ]
    )
    func invalid(_ text: String) {
        let told = problems("mqtt: {url: '\(text)'}")
        #expect(told.count == 1 && told[0].hasPrefix("lintel.yaml:1:13: mqtt.url: "), "\(told)")
    }

    @Test(
        "base topics follow the conventions",
        arguments: [
            ("lintel", nil), ("site1/lintel", nil), ("a/b/c d/é", nil), (String(repeating: "x", count: 200), nil),
            (String(repeating: "x", count: 201), "must have at most 200 bytes"),
            (String(repeating: "é", count: 101), "must have at most 200 bytes"), ("", "must not be empty"),
            ("/a", "must not begin or end with /"), ("a/", "must not begin or end with /"),
            ("/", "must not begin or end with /"),
            ("a//b", "must not have an empty level (//)"), ("a/+/b", "must not contain the wildcards + and #"),
            ("a#", "must not contain the wildcards + and #"), ("$SYS/a", "must not contain $"),
            ("a$b", "must not contain $"),
            ("a\u{7}b", "must not contain control characters or non-characters"),
            ("a\u{0}b", "must not contain control characters or non-characters"),
            ("a\u{85}b", "must not contain control characters or non-characters"),
            ("a\u{ffff}b", "must not contain control characters or non-characters"),
        ] as [(String, String?)]
    )
    func baseTopic(topic: String, fault: String?) {
        #expect(BaseTopic.fault(topic) == fault)
    }

    @Test(
        "durations and sizes have a unit",
        arguments: [
            ("5s", .seconds(5)), ("5000ms", .seconds(5)), ("1.5min", .seconds(90)), ("2m", .seconds(120)),
            ("1 h", .seconds(3600)),
            ("0.5d", .seconds(43_200)),
        ] as [(String, Duration)]
    )
    func durations(text: String, duration: Duration) throws {
        #expect(try parse("mqtt: {keep_alive: \(text)}").mqtt.keepAlive == duration)
    }

    @Test(
        "what is no duration is refused",
        arguments: ["60", "60x", "s", "1h30m", "1.2.3s", "-5s", "1e3s", "[5s]", "true", "5S"]
    )
    func noDuration(_ text: String) {
        #expect(problems("mqtt: {keep_alive: \(text)}").count == 1)
    }

    @Test(
        "sizes count in 1000 or in 1024, as they say",
        arguments: [("2kB", 2000), ("2KiB", 2048), ("1500B", 1500), ("1MiB", 1 << 20)]
    )
    func sizes(text: String, bytes: Int) throws {
        #expect(try parse("limits: {command_size: \(text)}").limits.commandBytes == bytes)
    }
}
