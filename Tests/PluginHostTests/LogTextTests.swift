import PluginHost
import Testing

@Suite("Log text of a plugin")
struct LogTextTests {
    @Test("bytes become lines, however they are split")
    func lines() {
        var text = LogText()
        #expect(text.lines(Array("one\r\n\ntw".utf8)) == ["one"])
        #expect(text.lines(Array("o\nthree".utf8)) == ["two"])
        #expect(text.rest() == ["three"])
        #expect(text.rest().isEmpty)
    }

    @Test("a line without end is cut into pieces")
    func endless() {
        var text = LogText()
        let lines = text.lines([UInt8](repeating: 0x78, count: 10 * LogText.maxLineBytes))
        #expect(lines.count == 10)
        #expect(lines.allSatisfy { $0.utf8.count == LogText.maxLineBytes })
    }

    @Test(
        "a line may begin with its level",
        arguments: [
            ("<3>bad", "error", "bad"), ("<4>hm", "warning", "hm"), ("<5>up", "notice", "up"), ("<7>x", "debug", "x"),
            ("plain", "info", "plain"), ("<8>x", "info", "<8>x"), ("<a>x", "info", "<a>x"), ("<3", "info", "<3"),
        ]
    )
    func levels(line: String, level: String, text: String) {
        let parsed = LogText.parse(line)
        #expect(parsed.level == level && parsed.text == text)
    }

    @Test("of the environment only harmless variables are passed on")
    func environment() {
        let passed = PluginEnvironment.allowed(
            of: [
                "PATH": "/bin", "HOME": "/root", "LANG": "C", "TZ": "UTC", "LINTEL_X": "1", "LINTEL_MQTT_PASSWORD": "p",
                "LINTEL_API_KEY": "k", "AWS_SECRET": "s", "LD_PRELOAD": "x",
            ]
        )
        #expect(passed == ["PATH": "/bin", "LANG": "C", "TZ": "UTC", "LINTEL_X": "1"])
    }
}
