import EventLoop
import HomeModel
import PluginWire

/// Sends lines to the gateway; when it is slow to read, reports wait in an ``OutboundQueue``.
///
/// All lines of one turn of the loop leave in one system call.
@Loop
final class Outbox {
    /// Above this many bytes that the system did not take, reports are coalesced; the pipe itself holds as much again.
    private static let highWater = 96 << 10

    private let stream: PipeConnection
    private var queue = OutboundQueue()
    private var whenEmpty: [@Loop () -> Void] = []
    private var nextTurn: LoopTimer?

    /// Sends on a stream, whose `onDrain` it takes.
    init(stream: PipeConnection) {
        self.stream = stream
        stream.onDrain = { [weak self] in self?.drain() }
    }

    /// Sends an answer or a request, which is never dropped.
    ///
    /// - Parameter line: with its newline; at most the protocol's longest line.
    func send(line: [UInt8]) {
        if queue.isEmpty, stream.queuedBytes < Self.highWater {
            stream.write(line, .coalesced)
        } else {
            queue.push(line: line)
        }
    }

    /// Sends a report, or keeps it as far as ``OutboundQueue`` does.
    func send(_ report: Report) {
        guard queue.isEmpty, stream.queuedBytes < Self.highWater else { return queue.push(report) }
        let line = report.line
        guard line.count <= LineDecoder.maxLineBytes else { return refuse(report, bytes: line.count) }
        stream.write(line, .coalesced)
    }

    /// Calls `body` when everything has been given to the system, or the stream is closed.
    func afterDrain(_ body: @escaping @Loop () -> Void) {
        whenEmpty.append(body)
        // What a turn has gathered reaches the system at its end, without a word where the system takes it at once; and a
        // timer may fire before that end.
        nextTurn = LoopTimer(after: .zero, every: .milliseconds(1)) { [weak self] in self?.drain() }
    }

    private func drain() {
        while stream.isOpen, stream.queuedBytes < Self.highWater, let line = queue.pop() {
            if line.count <= LineDecoder.maxLineBytes { stream.write(line, .coalesced) }
        }
        guard queue.isEmpty || !stream.isOpen else { return }
        let (events, records) = queue.takeDropped()
        if events + records > 0 {
            send(
                .log(
                    LogNote(
                        level: "warning",
                        message: "dropped because the gateway was slow to read",
                        metadata: ["events": String(events), "log_records": String(records)]
                    )
                )
            )
        }
        guard stream.queuedBytes == 0 || !stream.isOpen, !whenEmpty.isEmpty else { return }
        nextTurn = nil
        let waiting = whenEmpty
        whenEmpty = []
        for body in waiting { body() }
    }

    /// A report over the protocol's longest line would end the plugin; the gateway learns of it instead.
    private func refuse(_ report: Report, bytes: Int) {
        send(
            .log(
                LogNote(
                    level: "error",
                    message: "a report is longer than a line may be and was dropped",
                    metadata: ["bytes": String(bytes), "device": report.device?.text ?? ""]
                )
            )
        )
    }
}
