import Log
import Synchronization

/// Keeps what is written, for tests.
final class CollectingSink: LogSink {
    private let kept = Mutex<[LogRecord]>([])

    var records: [LogRecord] { kept.withLock { $0 } }

    func write(_ record: LogRecord) {
        kept.withLock { $0.append(record) }
    }
}
