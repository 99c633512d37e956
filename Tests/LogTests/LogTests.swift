import JSON
import Log
import Testing

@Suite("Log")
struct LogTests {
    private let sink = CollectingSink()
    private let levels = LogLevels(.notice)
    private let time = LogTime(nanoseconds: 1_796_033_702_123_456_789)

    private func makeLog(_ area: String = "hub") -> Log {
        let time = time
        return Log(area, levels: levels, sink: sink, now: { time })
    }

    @Test("a record carries time, level, area, message and metadata in order")
    func record() {
        makeLog().notice("plugin restarted", ["plugin": "tuya", "attempt": 2, "late": true, "factor": 1.5])
        let expected = LogRecord(
            time: time,
            level: .notice,
            area: "hub",
            message: "plugin restarted",
            metadata: ["plugin": "tuya", "attempt": 2, "late": true, "factor": 1.5]
        )
        #expect(sink.records == [expected])
        #expect(sink.records.first.map { Array($0.metadata.json.keys) } == ["plugin", "attempt", "late", "factor"])
    }

    @Test("each level has its call, and only the level set and more important ones are written")
    func levelsOfCalls() {
        let log = makeLog()
        for level in LogLevel.allCases {
            levels.set(level)
            log.error("e")
            log.warning("w")
            log.notice("n")
            log.info("i")
            log.debug("d")
            log.trace("t")
            log.forward(.info, "f")
        }
        let written = sink.records.map(\.message).joined()
        #expect(written == "e" + "ew" + "ewn" + "ewnif" + "ewnidf" + "ewnidtf")
        #expect(sink.records.filter { $0.message == "f" }.allSatisfy { $0.level == .info })
        #expect(LogLevel.allCases.sorted() == LogLevel.allCases.reversed())
    }

    @Test("metadata is not made where the level is off")
    func lazyMetadata() {
        var made = 0
        func metadata() -> LogMetadata {
            made += 1
            return [:]
        }
        makeLog().debug("off", metadata())
        #expect(made == 0)
        makeLog().error("on", metadata())
        #expect(made == 1)
    }

    @Test("levels follow areas, the longest name first, also for logs made before")
    func areas() {
        let hub = makeLog("hub")
        let plugins = makeLog("plugin")
        let tuya = hub.area("plugin.tuya")
        #expect(!tuya.isEnabled(.debug))
        levels.set(.debug, for: "plugin")
        #expect(tuya.isEnabled(.debug) && plugins.isEnabled(.debug) && !hub.isEnabled(.debug))
        levels.set(.error, for: "plugin.tuya")
        #expect(!tuya.isEnabled(.warning) && plugins.isEnabled(.debug))
        #expect(levels.areas == ["plugin": .debug, "plugin.tuya": .error])
        levels.set(nil, for: "plugin.tuya")
        #expect(tuya.isEnabled(.debug))
        levels.set(nil, for: "plugin")
        levels.set(.trace)
        #expect(tuya.isEnabled(.trace) && hub.isEnabled(.trace))
        #expect(levels.level(of: "pluginx") == .trace)
    }

    @Test("a name that only begins alike is another area")
    func similarAreas() {
        levels.set(.trace, for: "plug")
        #expect(levels.level(of: "plugin") == .notice)
        #expect(levels.level(of: "plug.in") == .trace)
    }

    @Test("added metadata is on every record, and a record's own wins")
    func addedMetadata() {
        let log = makeLog().adding(["device": "a", "try": 1]).adding(["home": "h"])
        log.notice("x", ["try": 2, "more": 3])
        #expect(sink.records.first?.metadata == ["device": "a", "try": 2, "home": "h", "more": 3])
    }

    @Test("a discarding log writes nothing, a fan-out everything to each")
    func fanOut() {
        Log.discarding().error("x")
        let other = CollectingSink()
        Log("a", levels: levels, sink: FanOutSink([sink, other])).error("y")
        #expect(sink.records.map(\.message) == ["y"])
        #expect(other.records == sink.records)
    }
}
