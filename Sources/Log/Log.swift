/// Writes structured records of one area of the program; a value to be passed in.
///
/// ```swift
/// log.notice("plugin restarted", ["plugin": "acme", "attempt": 2])
/// ```
///
/// Messages are constant, so that records can be counted and searched; what varies goes into the metadata, which is not
/// even made where the level is off.
package struct Log: Sendable {
    /// The part of the program that writes, such as `hub` or `plugin.acme`.
    package let area: String
    private let levels: LogLevels
    private let threshold: LogThreshold
    private let sink: any LogSink
    private let metadata: LogMetadata
    private let now: @Sendable () -> LogTime

    /// Makes a log.
    ///
    /// - Parameters:
    ///   - area: the part of the program; dots make areas within areas.
    ///   - levels: what is written, shared by all logs of the process.
    ///   - sink: where it is written.
    ///   - now: the clock of the records.
    package init(
        _ area: String,
        levels: LogLevels,
        sink: any LogSink,
        now: @escaping @Sendable () -> LogTime = { .now }
    ) {
        self.init(area, levels: levels, sink: sink, metadata: [:], now: now)
    }

    private init(
        _ area: String,
        levels: LogLevels,
        sink: any LogSink,
        metadata: LogMetadata,
        now: @escaping @Sendable () -> LogTime
    ) {
        self.area = area
        self.levels = levels
        threshold = levels.threshold(of: area)
        self.sink = sink
        self.metadata = metadata
        self.now = now
    }

    /// A log that writes nothing.
    package static func discarding() -> Log {
        Log("none", levels: LogLevels(.error), sink: FanOutSink([]))
    }

    /// The same log for another area.
    package func area(_ area: String) -> Log {
        Log(area, levels: levels, sink: sink, metadata: metadata, now: now)
    }

    /// The same log with metadata that each of its records carries.
    package func adding(_ metadata: LogMetadata) -> Log {
        Log(area, levels: levels, sink: sink, metadata: self.metadata.merging(metadata), now: now)
    }

    /// Whether records of a level are written now: to skip work that is only for them.
    package func isEnabled(_ level: LogLevel) -> Bool {
        threshold.admits(level)
    }

    /// A person must act.
    package func error(_ message: StaticString, _ metadata: @autoclosure () -> LogMetadata = [:]) {
        if isEnabled(.error) { record(.error, "\(message)", metadata()) }
    }

    /// Something works worse than it should, and is tried again.
    package func warning(_ message: StaticString, _ metadata: @autoclosure () -> LogMetadata = [:]) {
        if isEnabled(.warning) { record(.warning, "\(message)", metadata()) }
    }

    /// The course of life: started, stopped, connected.
    package func notice(_ message: StaticString, _ metadata: @autoclosure () -> LogMetadata = [:]) {
        if isEnabled(.notice) { record(.notice, "\(message)", metadata()) }
    }

    /// A rare, useful detail.
    package func info(_ message: StaticString, _ metadata: @autoclosure () -> LogMetadata = [:]) {
        if isEnabled(.info) { record(.info, "\(message)", metadata()) }
    }

    /// What a developer needs.
    package func debug(_ message: StaticString, _ metadata: @autoclosure () -> LogMetadata = [:]) {
        if isEnabled(.debug) { record(.debug, "\(message)", metadata()) }
    }

    /// Every message and step.
    package func trace(_ message: StaticString, _ metadata: @autoclosure () -> LogMetadata = [:]) {
        if isEnabled(.trace) { record(.trace, "\(message)", metadata()) }
    }

    /// Passes on what another program says, whose words are not ours.
    package func forward(_ level: LogLevel, _ message: String, _ metadata: @autoclosure () -> LogMetadata = [:]) {
        if isEnabled(level) { record(level, message, metadata()) }
    }

    private func record(_ level: LogLevel, _ message: String, _ metadata: LogMetadata) {
        sink.write(
            LogRecord(
                time: now(),
                level: level,
                area: area,
                message: message,
                metadata: self.metadata.merging(metadata)
            )
        )
    }
}
