/// Hands each record to several sinks in turn; without any it discards.
package struct FanOutSink: LogSink {
    private let sinks: [any LogSink]

    package init(_ sinks: [any LogSink]) {
        self.sinks = sinks
    }

    package func write(_ record: LogRecord) {
        for sink in sinks {
            sink.write(record)
        }
    }
}
