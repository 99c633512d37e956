import EventLoop
import HomeModel
import JSON
import PluginWire

/// The plugin's own requests to the gateway that are not answered yet.
@Loop
final class HostCalls {
    /// How long the gateway may take.
    static let deadline = Duration.seconds(10)
    /// How long it may take where its radio is asked.
    static let scanDeadline = Duration.seconds(60)
    /// How long it may take to move its radio, which a person may do by hand: as long as a pairing session lasts.
    static let moveDeadline = Duration.seconds(900)

    private struct Waiting {
        var continuation: CheckedContinuation<Result<JSON, CommandError>, Never>
        var timer: LoopTimer
    }

    private let outbox: Outbox
    private var waiting: [WireID: Waiting] = [:]
    private var nextID: Int64 = 1
    private var isClosed = false

    init(outbox: Outbox) { self.outbox = outbox }

    /// Asks the gateway and waits for its answer.
    ///
    /// - Throws: what the gateway answers, or `timeout` after the call's deadline and on cancellation.
    func ask(_ call: PluginCall) async throws(CommandError) -> JSON {
        let id = WireID.number(nextID)
        nextID += 1
        let line = call.line(id: id)
        guard line.count <= LineDecoder.maxLineBytes else { throw CommandError(.tooLarge, "The value is too large.") }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                begin(id, line, Self.deadline(of: call), continuation)
            }
        } onCancel: {
            Loop.post { [weak self] in self?.giveUp(id, "The request was cancelled.") }
        }
        return try result.get()
    }

    /// Takes an answer of the gateway; one that nobody waits for is dropped.
    func answered(_ id: WireID, _ result: Result<JSON, CommandError>) {
        waiting.removeValue(forKey: id)?.continuation.resume(returning: result)
    }

    /// Answers everything: the gateway is gone.
    func close() {
        isClosed = true
        for id in Array(waiting.keys) { answered(id, .failure(Self.gone)) }
    }

    private func begin(
        _ id: WireID,
        _ line: [UInt8],
        _ deadline: Duration,
        _ continuation: CheckedContinuation<Result<JSON, CommandError>, Never>
    ) {
        guard !isClosed, !Task.isCancelled else { return continuation.resume(returning: .failure(Self.gone)) }
        let timer = LoopTimer(after: deadline) { [weak self] in
            self?.giveUp(id, "The gateway did not answer in time.")
        }
        waiting[id] = Waiting(continuation: continuation, timer: timer)
        outbox.send(line: line)
    }

    private static func deadline(of call: PluginCall) -> Duration {
        switch call {
        case .storeSecret, .storedValue, .storeValue: deadline
        case .scanWiFi: scanDeadline
        case .joinWiFi, .leaveWiFi: moveDeadline
        }
    }

    private func giveUp(_ id: WireID, _ reason: String) {
        guard waiting[id] != nil else { return }
        outbox.send(line: CancelNote(id: id).line)
        answered(id, .failure(CommandError(.timeout, reason)))
    }

    private static let gone = CommandError(.timeout, "The gateway has closed the connection.")
}
