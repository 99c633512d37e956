import JSON
import Log
import Testing

@Suite("Log lines")
struct LogFormatTests {
    private func record(
        _ message: String = "plugin restarted",
        _ metadata: LogMetadata = ["plugin": "tuya", "attempt": 2],
        level: LogLevel = .notice
    ) -> LogRecord {
        // 2026-11-30T10:15:02.123Z
        let time = LogTime(nanoseconds: 1_796_033_702_123_456_789)
        return LogRecord(time: time, level: level, area: "hub", message: message, metadata: metadata)
    }

    private func line(_ format: LogFormat, _ record: LogRecord) -> String {
        String(decoding: format.line(record), as: UTF8.self)
    }

    @Test("text has time, level, area, message and words")
    func text() {
        #expect(
            line(.text, record()) == "2026-11-30T10:15:02.123Z notice hub: plugin restarted plugin=tuya attempt=2\n"
        )
        #expect(line(.text, record("x", [:], level: .error)) == "2026-11-30T10:15:02.123Z error hub: x\n")
    }

    @Test("the journal gets the priority and no time")
    func journal() {
        let priorities = LogLevel.allCases.map { line(.journal, record("x", [:], level: $0)) }
        #expect(priorities == [3, 4, 5, 6, 7, 7].map { "<\($0)>hub: x\n" })
    }

    @Test("colours are around the same words")
    func colours() {
        let coloured = line(.colouredText, record())
        var plain = ""
        var isInside = false
        for scalar in coloured.unicodeScalars {
            if scalar == "\u{1b}" { isInside = true }
            if !isInside { plain.unicodeScalars.append(scalar) }
            if scalar == "m" { isInside = false }
        }
        #expect(coloured.contains("\u{1b}[32mnotice\u{1b}[0m"))
        #expect(plain == line(.text, record()))
    }

    @Test("JSON lines are one object each")
    func json() throws {
        let bytes = LogFormat.json.line(record("a \"b\"\n", ["n": 1, "list": LogValue(JSON.array([1, "x"]))]))
        #expect(bytes.last == 0x0a)
        #expect(bytes.dropLast().allSatisfy { $0 != 0x0a })
        let expected: JSON = [
            "time": "2026-11-30T10:15:02.123Z", "level": "notice", "area": "hub", "message": "a \"b\"\n",
            "metadata": ["n": 1, "list": [1, "x"]],
        ]
        #expect(try JSON.parse(bytes) == expected)
        #expect(try JSON.parse(LogFormat.json.line(record("x", [:])))["metadata"] == nil)
    }

    static let wordCases: [(LogValue, String)] = [
        ("tuya", "tuya"), ("", #""""#), ("two words", #""two words""#), ("a=b", #""a=b""#), ("é😀", "é😀"),
        ("say \"hi\"", #""say \"hi\"""#), ("C:\\x", #""C:\\x""#), ("line\nline", #""line\nline""#),
        ("\u{1b}[31m", #""\u001b[31m""#), ("\u{9b}31m", #""\u009b31m""#), ("a\u{2028}b", #""a\u2028b""#),
        (true, "true"), (2.5, "2.5"), (-3, "-3"), (LogValue(JSON.null), "null"),
        (LogValue(["a": [1, "b c"]]), #"{"a":[1,"b c"]}"#),
    ]

    @Test("values are bare words where that is unmistakable, else JSON", arguments: wordCases)
    func words(value: LogValue, text: String) {
        #expect(line(.journal, record("x", ["k": value])) == "<5>hub: x k=\(text)\n")
    }

    @Test("nobody's words begin a line or move the cursor")
    func controls() {
        let hostile = "x\n<0>kernel: fire\r\u{1b}[2J\u{9b}1m\u{7f}\u{85}\u{2029}"
        let metadata: LogMetadata = ["a\nb": "\(hostile)", "list": LogValue(JSON.array([.string(hostile)]))]
        for format in [LogFormat.text, .journal, .json] {
            let text = line(format, record(hostile, metadata))
            #expect(text.filter { $0.isNewline }.count == 1 || format == .json)
            #expect(text.utf8.filter { $0 < 0x20 } == [0x0a])
            #expect(format == .json || !text.unicodeScalars.contains { (0x7f..<0xa0).contains($0.value) })
        }
    }

    @Test(
        "no line is longer than the limit, and long ones stay readable",
        arguments: [LogFormat.text, .journal, .json]
    )
    func longLines(format: LogFormat) throws {
        let long = String(repeating: "é\u{1}\"", count: 2_000)
        let many = LogMetadata(Dictionary(uniqueKeysWithValues: (0..<100).map { ("key\($0)", long) }))
        let cases: [(String, LogMetadata)] = [(long, [:]), ("x", ["v": "\(long)"]), (long, many), ("x", many)]
        for (message, metadata) in cases {
            let bytes = format.line(record(message, metadata))
            #expect(bytes.count <= LogFormat.longestLine)
            #expect(bytes.last == 0x0a)
            let text = try #require(String(validating: bytes, as: UTF8.self))
            #expect(text.contains("hub"))
            if format == .json { _ = try JSON.parse(bytes) }
        }
        var wide = record("x", [:])
        wide.area = long
        #expect(format.line(wide).count <= LogFormat.longestLine)
        #expect(line(format, record("x", many)).contains("omittedBytes"))
        #expect(line(format, record("x", ["v": "\(String(repeating: "y", count: 5000))"])).contains("yyy…"))
    }

    static let timeCases: [(Int64, String)] = [
        (0, "1970-01-01T00:00:00.000Z"),
        (999_999_999, "1970-01-01T00:00:00.999Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (951_782_400_000_000_000, "2000-02-29T00:00:00.000Z"),
        (1_796_033_702_007_000_000, "2026-11-30T10:15:02.007Z"),
        (4_107_542_399_999_999_999, "2100-02-28T23:59:59.999Z"),
    ]

    @Test("times are ISO 8601 in UTC with milliseconds", arguments: timeCases)
    func times(nanoseconds: Int64, text: String) {
        #expect(LogTime(nanoseconds: nanoseconds).description == text)
    }

    @Test("what is no terminal gets plain text")
    func choice() {
        #expect(LogFormat.suitable(for: -1, environment: ["TERM": "xterm"]) == .text)
        #expect(LogFormat.suitable(for: -1, environment: ["JOURNAL_STREAM": "1:2"]) == .text)
    }
}
