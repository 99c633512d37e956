import Log

/// Keeps what is written, for tests of one thread.
final class CollectingSink: LogSink {
    private let ring = RingSink(capacity: 1_000)

    var records: [LogRecord] { ring.records }

    func write(_ record: LogRecord) {
        ring.write(record)
    }
}
