import Config
import Testing

@Suite("Configuration: wifi")
struct WiFiSettingsTests {
    @Test("every key reaches its setting")
    func everything() throws {
        let wifi = try parse(
            """
            wifi:
              way: command
              interface: wlan0
              command: [/opt/my radio, --air, /tmp/air]
              home_interface: eth0
              timeout: 1min
            """
        ).wifi
        #expect(wifi.way == .command)
        #expect(wifi.interface == "wlan0")
        #expect(wifi.command == ["/opt/my radio", "--air", "/tmp/air"])
        #expect(wifi.homeInterface == "eth0")
        #expect(wifi.timeout == .seconds(60))
    }

    @Test("a command may be one text; without the section the first way that works is taken")
    func defaults() throws {
        #expect(try parse("wifi: {command: radio}").wifi.command == ["radio"])
        #expect(try parse("wifi: {command: ./radio}").wifi.command == ["/etc/lintel/radio"])
        #expect(try parse("").wifi == WiFiSettings())
        #expect(try parse("wifi: {way: off}").wifi.way == .off)
    }

    @Test(
        "what cannot be is told with its place",
        arguments: [
            ("wifi: {way: wpa}", "must be one of auto, networkmanager, wpa_supplicant, command, manual, off"),
            ("wifi: {way: command}", "needs command beside it"),
            ("wifi: {way: manual, command: x}", "is not used with way: manual"),
            ("wifi: {command: []}", "must not be empty"),
            ("wifi: {command: [a, '']}", "must not hold empty text"),
            ("wifi: {command: {a: b}}", "must be text"),
            ("wifi: {interface: wlan0, home_interface: wlan0}", "is the radio's own"),
            ("wifi: {interface: a/b}", "must be the name of an interface"),
            ("wifi: {interface: averyveryverylongname}", "must be text of 1 to 15 bytes"),
            ("wifi: {timeout: 1s}", "must be within 5s and 5min"),
            ("wifi: {timeout: 30}", "did you mean 30s?"),
            ("wifi: {timeuot: 30s}", "did you mean timeout?"),
        ]
    )
    func wrong(_ text: String, _ message: String) {
        let found = problems(text)
        #expect(found.count == 1 && found[0].contains("wifi.") && found[0].contains(message), "\(found)")
    }
}
