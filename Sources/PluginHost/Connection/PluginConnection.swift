package import EventLoop
package import HomeModel
package import JSON
package import PluginWire

/// The plugin wire to one run of a plugin, as the gateway sees it.
///
/// Every request is answered once: by the plugin, by its deadline, or by the end of the connection.
@Loop
package final class PluginConnection {
    /// How much longer than the plugin we wait, so that its own word on what went wrong can arrive.
    static let grace = Duration.milliseconds(100)
    /// With so many bytes not taken by the plugin, further requests wait here, where they can be given up.
    private static let highWater = 256 << 10
    /// After a read of this many bytes the loop looks after others first: the size of its read buffer.
    private static let fullRead = 64 << 10
    /// The most requests of the plugin that are being answered at a time.
    private static let maxAnswering = 64

    private let input: PipeConnection
    private let output: PipeConnection
    private let recorder: FlightRecorder
    private var decoder = LineDecoder()
    private var table = CallTable()
    /// Armed for the first deadline of the table, or earlier.
    private var timer: LoopTimer?
    private var armedFor = MonotonicTime(nanoseconds: .max)
    private var answering: [WireID: Task<Void, Never>?] = [:]
    private var closedBecause: CommandError?

    /// Gets the plugin's notifications, in order.
    package var onNote: (@Loop (PluginNote) -> Void)?
    /// Answers the plugin's requests.
    package var onCall: (@Loop (PluginCall) async throws(CommandError) -> JSON)?
    /// Called once when the plugin breaks the protocol; the connection hears nothing more of it.
    package var onFault: (@Loop (String) -> Void)?
    /// Called when the plugin's output has ended.
    package var onEnd: (@Loop () -> Void)?

    /// Connects over the streams of a plugin.
    ///
    /// - Parameters:
    ///   - input: what the plugin reads.
    ///   - output: what it writes.
    package init(input: PipeConnection, output: PipeConnection, recorder: FlightRecorder) {
        self.input = input
        self.output = output
        self.recorder = recorder
    }

    /// Begins to read; set the closures before.
    package func open() {
        input.onDrain = { [weak self] in self?.sendWaiting() }
        input.onClose = { [weak self] in self?.inputEnded($0) }
        output.onClose = { [weak self] _ in self?.onEnd?() }
        output.onBytes = { [weak self] bytes in self?.receive(bytes) }
    }

    // MARK: Requests to the plugin

    /// Asks the plugin; `completion` gets its answer, `timeout` or `plugin_down`, once.
    ///
    /// - Returns: the id for ``cancel(_:)``; 0 where it was refused.
    @discardableResult
    package func call(
        _ call: GatewayCall,
        within deadline: Duration,
        isUrgent: Bool = false,
        completion: @escaping @Loop (Result<JSON, CommandError>) -> Void
    ) -> Int64 {
        if let closedBecause {
            completion(.failure(closedBecause))
            return 0
        }
        let moment = Loop.now + deadline + Self.grace
        let (admission, id) = table.add(
            call,
            deadline: moment,
            isUrgent: isUrgent,
            mayWrite: input.queuedBytes < Self.highWater,
            completion: completion
        )
        switch admission {
        case .send: send(call, id)
        case .wait: break
        case .refuse:
            completion(
                .failure(CommandError(.deviceBusy, "The plugin has too many requests to answer.", retryAfterMs: 1000))
            )
            return 0
        }
        if moment < armedFor { arm(for: moment) }
        return id
    }

    /// Asks the plugin and waits; cancelling the task tells the plugin and throws `timeout`.
    func call(
        _ request: GatewayCall,
        within deadline: Duration,
        isUrgent: Bool = false
    ) async throws(CommandError) -> JSON {
        let ticket = Ticket()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<JSON, CommandError>, Never>) in
                ticket.id = call(request, within: deadline, isUrgent: isUrgent) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            Loop.post { [weak self] in self?.cancel(ticket.id) }
        }
        return try result.get()
    }

    /// Gives a request up; its completion gets `timeout`.
    package func cancel(_ id: Int64) {
        giveUp(id, CommandError(.timeout, "The request was cancelled."))
        sendWaiting()
    }

    /// Tells the plugin something that has no answer.
    func tell(_ line: [UInt8]) {
        guard closedBecause == nil else { return }
        write(line)
    }

    private func send(_ call: GatewayCall, _ id: Int64) {
        let line = call.line(id: .number(id))
        guard line.count <= LineDecoder.maxLineBytes else {
            let failure = CommandError(.tooLarge, "The request is longer than \(LineDecoder.maxLineBytes) bytes.")
            // Not from inside the caller's own call.
            return Loop.nextTick { [weak self] in self?.finish(id, .failure(failure)) }
        }
        write(line)
    }

    private func write(_ line: [UInt8]) {
        recorder.record(frame: line.dropLast(), .sent)
        input.write(line, .coalesced)
    }

    private func sendWaiting() {
        while closedBecause == nil, input.queuedBytes < Self.highWater, let next = table.next() {
            send(next.call.limited(to: next.deadline - Loop.now - Self.grace), next.id)
        }
    }

    private func finish(_ id: Int64, _ result: Result<JSON, CommandError>) {
        guard let call = table.take(id) else { return }
        call.completion(result)
    }

    // MARK: Deadlines

    private func arm(for moment: MonotonicTime) {
        armedFor = moment
        timer = LoopTimer(at: moment) { [weak self] in self?.expire() }
    }

    private func expire() {
        armedFor = MonotonicTime(nanoseconds: .max)
        for id in table.expired(at: Loop.now) {
            giveUp(id, CommandError(.timeout, "The plugin did not answer in time."))
        }
        sendWaiting()
        if let next = table.earliestDeadline, next < armedFor { arm(for: next) }
    }

    private func giveUp(_ id: Int64, _ failure: CommandError) {
        guard let call = table.take(id) else { return }
        if call.wasSent { write(CancelNote(id: .number(id)).line) }
        call.completion(.failure(failure))
    }

    // MARK: What the plugin says

    private func receive(_ bytes: [UInt8]) {
        decoder.append(bytes)
        do throws(WireFault) {
            while closedBecause == nil, let line = try decoder.next() {
                recorder.record(frame: line, .received)
                take(try WireMessage(line: line))
            }
        } catch {
            return fail(error.description)
        }
        if bytes.count >= Self.fullRead { yieldToOthers() }
    }

    /// Lets the loop serve its other streams before this one is read again.
    private func yieldToOthers() {
        output.pauseReading()
        Loop.nextTick { [weak output] in output?.resumeReading() }
    }

    private func take(_ message: WireMessage) {
        switch message {
        case .response(.number(let id), let result):
            finish(id, .success(result))
            sendWaiting()
        case .failure(.number(let id)?, let failure):
            finish(id, .failure(recorder.redactor.redacted(CommandError(failure))))
            sendWaiting()
        case .notification(WireMethod.cancel.rawValue, let params):
            if let note = CancelNote(params: params), case let task?? = answering[note.id] { task.cancel() }
        case .notification(let method, let params):
            do throws(WireFailure) {
                if let note = try PluginNote(method: method, params: params) { onNote?(note) }
            } catch {
                recorder.record(text: "refused: \(error.message)", .host)
            }
        case .request(let id, let method, let params):
            do throws(WireFailure) { answer(id, try PluginCall(method: method, params: params)) } catch {
                write(WireMessage.failure(id: id, error).line)
            }
        case .response, .failure:
            // Never asked for with such an id, or a complaint about a line of ours, which is in the recorder.
            break
        }
    }

    private func answer(_ id: WireID, _ call: PluginCall) {
        guard let onCall, answering.count < Self.maxAnswering, answering[id] == nil else {
            let error = CommandError(.rateLimited, "Too many requests at a time.", retryAfterMs: 100)
            return write(WireMessage.failure(id: id, WireFailure(error)).line)
        }
        answering.updateValue(nil, forKey: id)
        let task = Task.immediate { @Loop [weak self] in
            do throws(CommandError) {
                let result = try await onCall(call)
                self?.answered(id, WireMessage.response(id: id, result: result))
            } catch {
                self?.answered(id, WireMessage.failure(id: id, WireFailure(error)))
            }
        }
        if answering[id] != nil { answering[id] = task }
    }

    private func answered(_ id: WireID, _ message: WireMessage) {
        answering[id] = nil
        guard closedBecause == nil else { return }
        write(message.line)
    }

    // MARK: The end

    /// The plugin closed what it reads, or has not read for so long that the stream was given up.
    private func inputEnded(_ reason: LoopError?) {
        guard case .overflow? = reason else { return }
        fail("does not read what it is told")
    }

    private func fail(_ reason: String) {
        output.pauseReading()
        guard closedBecause == nil else { return }
        let report = onFault
        onFault = nil
        report?(reason)
    }

    /// Ends the stream to the plugin, which is its sign to stop.
    func closeInput() {
        input.close()
    }

    /// Answers everything that is open with `reason` and hears nothing more.
    package func close(because reason: CommandError) {
        guard closedBecause == nil else { return }
        closedBecause = reason
        timer = nil
        onNote = nil
        onCall = nil
        onFault = nil
        for case let task? in answering.values { task.cancel() }
        input.close()
        output.close()
        for completion in table.takeAll() { completion(.failure(reason)) }
    }
}

/// Carries a request's id out of a closure.
@Loop
private final class Ticket {
    var id: Int64 = 0
}
