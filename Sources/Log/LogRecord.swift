/// One event, as sinks get it.
package struct LogRecord: Sendable, Equatable {
    /// When it was recorded.
    package var time: LogTime
    /// How much it matters.
    package var level: LogLevel
    /// The part of the program, such as `hub` or `plugin.acme`.
    package var area: String
    /// What happened, in words that stay the same.
    package var message: String
    /// The particulars.
    package var metadata: LogMetadata

    package init(time: LogTime, level: LogLevel, area: String, message: String, metadata: LogMetadata = [:]) {
        self.time = time
        self.level = level
        self.area = area
        self.message = message
        self.metadata = metadata
    }
}
