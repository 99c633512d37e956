import Config
import Glibc
import HomeModel
import JSON
import Log
import Testing

@Suite("Configuration")
struct ConfigurationTests {
    private static let minimal = """
        mqtt:
          url: mqtt://127.0.0.1:1883        # mqtts://… for TLS; "embedded" starts a mosquitto of our own on loopback
          base_topic: lintel
        data_directory: ./data
        plugins:
          tuya:
            devices:
              - id: bf0123456789abcdefgh
                local_key: "0123456789abcdef"
                address: 127.0.0.2            # optional: found by beacon otherwise
                version: "3.3"                # optional: found otherwise
                name: Desk lamp
        """

    @Test("the minimal form works as it stands")
    func minimalForm() throws {
        let configuration = try parse(Self.minimal)
        #expect(configuration.mqtt.broker == .remote(host: "127.0.0.1", port: 1883))
        #expect(configuration.mqtt.baseTopic == "lintel")
        #expect(configuration.mqtt.tls == nil)
        #expect(configuration.dataDirectory == "/etc/lintel/data")
        let tuya = try #require(PluginID("tuya").flatMap { configuration.plugins[$0] })
        #expect(tuya.isEnabled)
        #expect(
            tuya.json == [
                "devices": [
                    [
                        "id": "bf0123456789abcdefgh", "local_key": "0123456789abcdef", "address": "127.0.0.2",
                        "version": "3.3", "name": "Desk lamp",
                    ]
                ]
            ]
        )
        #expect(configuration.warnings.isEmpty)
    }

    @Test(
        "an empty file means the defaults: an embedded broker, no plugins",
        arguments: ["", "---\n", "# nothing\n", "{}"]
    )
    func empty(_ text: String) throws {
        let configuration = try parse(text)
        #expect(configuration.mqtt == MQTTSettings())
        #expect(configuration.mqtt.broker == .embedded(port: 1883))
        #expect(configuration.log == LogSettings())
        #expect(configuration.limits == LimitSettings())
        #expect(configuration.plugins.isEmpty)
    }

    @Test("every key reaches its setting")
    func everything() throws {
        let configuration = try parse(
            """
            mqtt:
              url: mqtts://broker.example
              base_topic: site1/lintel
              username: hub
              password: {env: MQTT_PASSWORD}
              client_id: lintel-test
              version: 3.1.1
              keep_alive: 2min
              ca_file: tls/ca.crt
              certificate_file: /tls/own.crt
              key_file: own.key
              tls_insecure: false
            data_directory: /var/lib/lintel
            plugin_directories: [plugins, /opt/plugins]
            log:
              level: debug
              format: json
              areas: {mqtt: trace, plugin.tuya: error}
            limits:
              command_size: 128KiB
              devices: 500
            plugins:
              tuya: {enabled: false, limits: {memory: 256MiB, open_files: 512}, devices: []}
              other:
            """,
            environment: ["MQTT_PASSWORD": "canary"]
        )
        var mqtt = MQTTSettings()
        mqtt.broker = .remote(host: "broker.example", port: 8883)
        mqtt.baseTopic = "site1/lintel"
        mqtt.username = "hub"
        mqtt.password = Redacted("canary")
        mqtt.clientID = "lintel-test"
        mqtt.version = .threeOneOne
        mqtt.keepAlive = .seconds(120)
        var tls = TLSSettings()
        tls.caFile = "/etc/lintel/tls/ca.crt"
        tls.certificateFile = "/tls/own.crt"
        tls.keyFile = "/etc/lintel/own.key"
        mqtt.tls = tls
        #expect(configuration.mqtt == mqtt)
        #expect(configuration.dataDirectory == "/var/lib/lintel")
        #expect(configuration.pluginDirectories == ["/etc/lintel/plugins", "/opt/plugins"])
        #expect(configuration.log.level == .debug && configuration.log.format == .json)
        #expect(configuration.log.areas == ["mqtt": .trace, "plugin.tuya": .error])
        #expect(configuration.limits.commandBytes == 131_072 && configuration.limits.devices == 500)
        let tuya = try #require(PluginID("tuya").flatMap { configuration.plugins[$0] })
        #expect(!tuya.isEnabled && tuya.limits.memoryBytes == 256 << 20 && tuya.limits.openFiles == 512)
        #expect(tuya.json == ["devices": []])
        let other = try #require(PluginID("other").flatMap { configuration.plugins[$0] })
        #expect(other.isEnabled && other.json == [:])
    }

    @Test("all problems are told at once, each with line, column and key path, in the order of the file")
    func allAtOnce() {
        let text = """
            mqtt:
              url: tcp://broker
              base_topc: x
              keep_alive: 60
              tls_insecure: yes
            data_directroy: ./data
            log: [debug]
            limits:
              devices: many
              command_size: 2MiB
            plugins:
              Tuya: {}
              ezviz: {enabled: 1}
            """
        #expect(
            problems(text) == [
                "lintel.yaml:2:8: mqtt.url: must begin with mqtt:// or mqtts://, or be embedded, not tcp://",
                "lintel.yaml:3:3: mqtt.base_topc: unknown key; did you mean base_topic?",
                "lintel.yaml:4:15: mqtt.keep_alive: must be a number with its unit, such as 30s; did you mean 60s?",
                "lintel.yaml:5:17: mqtt.tls_insecure: must be true or false, not text",
                "lintel.yaml:6:1: data_directroy: unknown key; did you mean data_directory?",
                "lintel.yaml:7:6: log: must be a group of keys, not a list",
                "lintel.yaml:9:12: limits.devices: must be a whole number, not text",
                "lintel.yaml:10:17: limits.command_size: must be within 1KiB and 1MiB",
                "lintel.yaml:12:3: plugins.Tuya: a plugin's name has a-z, 0-9 and - only",
                "lintel.yaml:13:20: plugins.ezviz.enabled: must be true or false, not a number",
            ]
        )
        #expect(problems(text) == problems(text))
    }

    @Test(
        "a single wrong value is told",
        arguments: [
            ("mqtt: {base_topic: true}", "1:20: mqtt.base_topic: must be text; put it in quotes"),
            ("mqtt: {base_topic: }", "1:20: mqtt.base_topic: has no value"),
            ("mqtt: {base_topic: [a]}", "1:20: mqtt.base_topic: must be text, not a list"),
            ("mqtt: {version: 4}", "1:17: mqtt.version: must be one of auto, 5, 3.1.1"),
            ("mqtt: {version: atuo}", "1:17: mqtt.version: must be one of auto, 5, 3.1.1; did you mean auto?"),
            ("mqtt: {keep_alive: 1s}", "1:20: mqtt.keep_alive: must be within 5s and 65535s"),
            ("mqtt: {keep_alive: -5s}", "1:20: mqtt.keep_alive: must be a number with its unit, such as 30s"),
            ("mqtt: {client_id: \"a\\tb\"}", "1:19: mqtt.client_id: must not contain control characters"),
            ("mqtt: {url: embedded, username: me}", "1:33: mqtt.username: is not used with the embedded broker"),
            ("mqtt: {ca_file: ca.crt}", "1:17: mqtt.ca_file: is not used with the embedded broker"),
            (
                "mqtt: {url: 'mqtt://h', tls_insecure: false}",
                "1:39: mqtt.tls_insecure: is not used with mqtt://; write mqtts:// for TLS"
            ),
            (
                "mqtt: {url: 'mqtts://h', key_file: k}",
                "1:36: mqtt.key_file: needs certificate_file beside it"
            ),
            (
                "mqtt: {url: 'mqtt://u@h', password: p}",
                "1:37: mqtt.password: is also given in url; use one of the two"
            ),
            ("data_directory: ~/data", "1:17: data_directory: ~ is not expanded; write the whole path"),
            ("data_directory: {a: b}", "1:17: data_directory: must be a path, not a group of keys"),
            ("log: {level: verbose}", "1:14: log.level: must be one of error, warning, notice, info, debug, trace"),
            ("log: {areas: {MQTT: debug}}", "1:15: log.areas.MQTT: an area has a-z, 0-9, dots and dashes only"),
            ("limits: {devices: 0}", "1:19: limits.devices: must be within 1 and 100000"),
            (
                "plugins: {tuya: {limits: {memory: 1MiB}}}",
                "1:35: plugins.tuya.limits.memory: must be within 64MiB and 64GiB"
            ),
            ("plugins: {tuya: [1]}", "1:17: plugins.tuya: must be a group of keys, not a list"),
            ("just text", "1:1: must be a group of keys, not text"),
            (
                "nonsense: 1",
                "1:1: nonsense: unknown key; known here: mqtt, data_directory, plugin_directories, log, limits, secrets, wifi, plugins"
            ),
        ]
    )
    func single(text: String, problem: String) {
        #expect(problems(text) == ["lintel.yaml:" + problem])
    }

    @Test("a file that is not there is named")
    func missing() {
        let error = #expect(throws: ConfigProblems.self) { try Configuration.load(path: "/nowhere/lintel.yaml") }
        #expect(error?.description == "/nowhere/lintel.yaml: cannot be read: No such file or directory")
    }

    @Test("a file's own folder is where relative paths start, however it was named")
    func relativePaths() throws {
        try withTemporaryDirectory { directory in
            try write(
                "data_directory: state\nmqtt: {url: 'mqtt://h', password: {file: secret.txt}}",
                to: directory + "/a.yaml"
            )
            try write("canary\n", to: directory + "/secret.txt")
            let configuration = try Configuration.load(path: directory + "/a.yaml")
            #expect(configuration.dataDirectory == directory + "/state")
            #expect(configuration.mqtt.password?.exposed == "canary")
        }
    }

    @Test("a secret in a file that others can read is warned of; in a private file or by reference it is not")
    func openFile() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.yaml"
            try write("mqtt:\n  url: mqtt://h\n  password: canary", to: path, mode: 0o644)
            let warnings = try Configuration.load(path: path).warnings
            #expect(
                warnings.map(\.description) == [
                    "\(path):3:13: mqtt.password: a secret stands in a file that other users can read; set its mode to 0600"
                ]
            )
            chmod(path, 0o600)
            #expect(try Configuration.load(path: path).warnings.isEmpty)
            try write("mqtt: {url: 'mqtt://h', password: {file: p}}", to: path, mode: 0o644)
            try write("canary", to: directory + "/p")
            #expect(try Configuration.load(path: path).warnings.isEmpty)
        }
    }

    @Test("secrets are kept by name, in place or followed to where they are")
    func namedSecrets() throws {
        let configuration = try parse(
            "secrets: {wifi-home: 12345678, other_1.x: {env: WIFI}}",
            environment: ["WIFI": "canary"]
        )
        #expect(configuration.secrets == Secrets(["wifi-home": "12345678", "other_1.x": "canary"]))
        #expect(
            problems("secrets: {a b: x, c: [1], d: {env: NONE}}") == [
                "lintel.yaml:1:11: secrets.a b: a secret's name has a-z, A-Z, 0-9, -, _ and . only",
                "lintel.yaml:1:22: secrets.c: must be text, {file: path} or {env: NAME}",
                "lintel.yaml:1:36: secrets.d: the environment has no variable NONE",
            ]
        )
    }

    @Test("secrets show in no description, dump or problem")
    func redaction() throws {
        let configuration = try parse("mqtt: {url: 'mqtt://u:canary1@h'}\nplugins: {tuya: {}}")
        var dumped = ""
        dump(configuration, to: &dumped)
        #expect(!dumped.contains("canary") && !"\(configuration)".contains("canary"))
        #expect(configuration.mqtt.password?.exposed == "canary1")
        #expect(configuration.warnings.count == 1)
        #expect(!configuration.warnings.map(\.description).joined().contains("canary"))
        for text in [
            "mqtt: {url: 'mqtt://u:canary@h:99999'}", "mqtt: {url: 'mqtt://u:canary%zz@h'}",
            "mqtt: {url: 'ws://u:canary@h'}",
            "mqtt: {password: [canary]}", "mqtt: {password: {canary: 1}}",
        ] {
            let told = problems(text)
            #expect(!told.isEmpty && !told.joined().contains("canary"), "\(text)")
        }
    }

    @Test("a file or variable that is not there is named")
    func missingSecrets() throws {
        #expect(
            problems("mqtt:\n  url: mqtt://h\n  password: {env: NO_SUCH}")
                == ["lintel.yaml:3:19: mqtt.password: the environment has no variable NO_SUCH"]
        )
        #expect(
            problems("mqtt:\n  url: mqtt://h\n  password: {file: nowhere}")
                == ["lintel.yaml:3:20: mqtt.password: /etc/lintel/nowhere cannot be read: No such file or directory"]
        )
        #expect(
            problems("mqtt:\n  url: mqtt://h\n  password: {file: a, env: B}")
                == ["lintel.yaml:3:13: mqtt.password: must be text, {file: path} or {env: NAME}"]
        )
    }
}
