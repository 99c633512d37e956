import Glibc

/// Writes each record as a line to a descriptor, such as standard error: one write(2) a record, from any thread.
///
/// It does not wait: while a pipe's reader is slow or a terminal stopped, records are dropped and counted, and the count
/// is written with the next record that finds room.
package final class DescriptorSink: LogSink {
    private struct State: Sendable {
        var lost = 0
    }

    private let descriptor: Int32
    private let format: LogFormat
    private let state = Guarded(State())

    /// Makes a sink for a descriptor, which must stay open and is not closed here.
    package init(descriptor: Int32, format: LogFormat) {
        self.descriptor = descriptor
        self.format = format
    }

    /// Makes a sink for standard error in the format that suits it.
    package static func standardError(environment: [String: String]) -> DescriptorSink {
        DescriptorSink(
            descriptor: STDERR_FILENO,
            format: LogFormat.suitable(for: STDERR_FILENO, environment: environment)
        )
    }

    package func write(_ record: LogRecord) {
        let line = format.line(record)
        state.withLock { state in
            if state.lost > 0 {
                let report = LogRecord(
                    time: record.time,
                    level: .warning,
                    area: "log",
                    message: "records lost",
                    metadata: ["count": LogValue(state.lost)]
                )
                if put(format.line(report)) { state.lost = 0 }
            }
            if state.lost > 0 || !put(line) { state.lost += 1 }
        }
    }

    /// Writes a line if there is room for it now.
    ///
    /// - Returns: whether it is written.
    private func put(_ line: [UInt8]) -> Bool {
        // A pipe that is writable has room for at least PIPE_BUF bytes, and no line is longer.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&waiting, 1, 0) == 1, waiting.revents & Int16(POLLOUT) != 0 else { return false }
        return line.withUnsafeBytes { bytes in
            var written: Int
            repeat {
                written = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            } while written < 0 && errno == EINTR
            return written == bytes.count
        }
    }
}
