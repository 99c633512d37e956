package import DeviceInterface
package import EventLoop
package import HomeModel
package import Hub
package import Log

/// The gateway's own radio: joins a device's hotspot for a session and always comes back.
///
/// A journal in the data directory is on disk before the radio moves and goes when it is back. ``recover()`` undoes what a
/// process that was killed had begun; whatever cannot be undone now is tried again until it is.
@Loop
package final class WiFiLink: WiFiPort {
    /// How often ``leave(for:prompt:)`` tries before it says that the radio is not back.
    private static let triesToLeave = 3

    package var onLost: (@Loop (PairingID, String) -> Void)?

    private let options: WiFiOptions
    private let log: Log
    private let journal: MoveJournal
    private let ways: WiFiWays
    private let turns = Turns()
    /// What is in the journal; nil while the radio is where it belongs.
    private var record: MoveRecord?
    /// The session that has the radio.
    private var session: PairingID?
    /// Why the radio is not back though it should be.
    private var pending: WiFiError?
    private var joining: Task<Result<WiFiPlace, WiFiError>, Never>?
    private var watch: Task<Void, Never>?
    private var retry: LoopTimer?
    private var retries = 0
    private var isStopped = false

    /// Makes the link; nothing is looked at or moved yet.
    package init(_ options: WiFiOptions, log: Log) {
        self.options = options
        self.log = log
        journal = MoveJournal(directory: options.directory)
        ways = WiFiWays(options)
    }

    isolated deinit { watch?.cancel() }

    /// How the radio is moved: `networkmanager`, `wpa_supplicant`, `command` or `manual`; `auto` until it was looked.
    package var way: String { ways.name }

    // MARK: Coming back after a crash

    /// Brings the radio back where a process that is no more has moved it; to be called before anything else at start.
    ///
    /// Does nothing where there is nothing to undo. What fails is tried again in the background, and is a finding of
    /// ``preflight()`` meanwhile.
    ///
    /// - Parameter patience: after this it returns, while the radio is still on its way.
    package func recover(waiting patience: Duration = .seconds(60)) async {
        let (ends, ending) = AsyncStream.makeStream(of: Void.self)
        Task {
            await recoverNow()
            ending.finish()
        }
        let timer = LoopTimer(after: patience) { ending.finish() }
        for await _ in ends {}
        timer.cancel()
    }

    private func recoverNow() async {
        await turns.enter()
        defer { turns.leave() }
        guard record == nil else { return }
        do throws(WiFiError) {
            guard let found = try journal.read() else { return }
            record = found
            log.notice("bringing the radio back", ["way": .init(found.way), "from": .init(found.ssid)])
            await Survivors.end(of: found.token)
            try await goHome(nil, keepsSession: true)
        } catch {
            fail(error)
        }
    }

    /// Brings the radio back, as far as that goes without a person, and stops trying.
    package func stop() async {
        joining?.cancel()
        await turns.enter()
        defer { turns.leave() }
        do throws(WiFiError) {
            try await goHome(nil)
        } catch {
            log.warning("the radio is not back; the next start tries again", ["reason": .init(error.words)])
        }
        isStopped = true
        retry = nil
    }

    // MARK: WiFiPort

    package func scan() async throws(CommandError) -> [WiFiSighting] {
        do throws(WiFiError) {
            let way = try await ways.chosen()
            // A person may take long to move the radio, and lists no networks anyway.
            if way.name == WiFiOptions.Way.manual.rawValue { throw .cannotScan(way: way.name) }
            await turns.enter()
            defer { turns.leave() }
            return ScanList.merged(try await way.scan())
        } catch {
            throw error.commandError
        }
    }

    package func preflight() async -> [WiFiFinding] {
        // It waits for nobody, so that it can tell at any time; but nobody scans while the radio moves.
        let preflight = Preflight(options: options, ways: ways, mayScan: !turns.isTaken)
        return await preflight.findings { [self] in (record, pending) }
    }

    package func join(_ join: WiFiJoin, prompt: @escaping WiFiPrompt) async throws(CommandError) -> WiFiPlace {
        if let session, session != join.session { throw WiFiError.busy(session: session.text).commandError }
        session = join.session
        let passphrase = join.passphrase.flatMap { $0.isEmpty ? nil : $0 }
        let move = WiFiMove(session: join.session.text, ssid: join.ssid, passphrase: passphrase, prompt: prompt)
        joining?.cancel()
        let task = Task { await perform(move) }
        joining = task
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        do throws(WiFiError) {
            return try result.get()
        } catch {
            throw error.commandError
        }
    }

    package func leave(for session: PairingID, prompt: @escaping WiFiPrompt) async throws(CommandError) {
        guard self.session == session || record?.session == session.text else { return }
        if self.session == session { joining?.cancel() }
        await turns.enter()
        defer { turns.leave() }
        guard self.session == session || record?.session == session.text else { return }
        var tries = 0
        while true {
            do throws(WiFiError) {
                try await undisturbed { () async throws(WiFiError) in
                    try await self.goHome(prompt, keepsSession: self.session != session)
                }
                return
            } catch {
                tries += 1
                if case .unanswered = error { tries = Self.triesToLeave }
                guard tries < Self.triesToLeave else {
                    // Others may have it as soon as it is back.
                    self.session = nil
                    fail(error)
                    var words = error.commandError
                    words.message = "The radio is not back from \"\(record?.ssid ?? "the hotspot")\": \(words.message)"
                    words.hint = "It is tried again and again; wifi/status tells."
                    throw words
                }
                try? await Loop.sleep(for: delay(tries - 1))
            }
        }
    }

    // MARK: Moving

    private func perform(_ move: WiFiMove) async -> Result<WiFiPlace, WiFiError> {
        await turns.enter()
        defer { turns.leave() }
        do throws(WiFiError) {
            return .success(try await away(move))
        } catch {
            // Whatever part of the way it went; the session may be cancelled, the way home is not.
            await Task { await giveUp(move, error) }.value
            return .failure(Task.isCancelled ? .cancelled : error)
        }
    }

    private func away(_ move: WiFiMove) async throws(WiFiError) -> WiFiPlace {
        if Task.isCancelled { throw .cancelled }
        if isStopped { throw .cancelled }
        // Left over from another session.
        if let record, record.session != move.session { try await goHome(move.prompt, keepsSession: true) }
        watch?.cancel()
        let way = try await ways.chosen()
        // Within a session the radio goes from one network to another; home is where it was before the first.
        var record: MoveRecord
        if let known = self.record {
            record = known
            record.ssid = move.ssid
            record.joined = nil
        } else {
            record = try await way.origin(of: move)
        }
        try journal.write(record)
        self.record = record
        log.notice("the radio leaves", ["way": .init(way.name), "to": .init(move.ssid)])
        let place = try await way.join(move, from: record)
        if Task.isCancelled { throw .cancelled }
        record.joined = "\(place.address)/\(place.prefix)"
        try journal.write(record)
        self.record = record
        look(after: place, record, way)
        return place
    }

    /// Brings the radio back where it is away; must be called in turn.
    private func goHome(_ prompt: WiFiPrompt?, keepsSession: Bool = false) async throws(WiFiError) {
        watch?.cancel()
        watch = nil
        if let record {
            guard let way = ways.way(named: record.way) else { throw .wayGone(record.way) }
            try await way.goBack(record, prompt)
            try journal.clear()
            self.record = nil
            log.notice("the radio is back", ["way": .init(record.way), "from": .init(record.ssid)])
        }
        retry = nil
        retries = 0
        pending = nil
        if !keepsSession { session = nil }
    }

    /// Comes back after a join that failed with `error`.
    private func giveUp(_ move: WiFiMove, _ error: WiFiError) async {
        do throws(WiFiError) {
            // What is left over from another session has just been tried.
            if let record, record.session != move.session { throw error }
            try await goHome(move.prompt)
        } catch {
            fail(error)
        }
        session = nil
    }

    /// Remembers a failure to come back, and tries again later.
    private func fail(_ error: WiFiError) {
        if pending == nil { log.error("the radio is not back; trying again", ["reason": .init(error.words)]) }
        pending = error
        guard !isStopped else { return }
        let delay = delay(retries)
        retries += 1
        retry = LoopTimer(after: delay) { [weak self] in
            guard let self else { return }
            Task { await self.tryAgain() }
        }
    }

    private func tryAgain() async {
        await turns.enter()
        defer { turns.leave() }
        guard !isStopped, pending != nil, session == nil else { return }
        do throws(WiFiError) {
            if record == nil { record = try journal.read() }
            try await goHome(nil, keepsSession: true)
        } catch {
            fail(error)
        }
    }

    private func delay(_ number: Int) -> Duration {
        options.retryDelays.isEmpty ? .seconds(60) : options.retryDelays[min(number, options.retryDelays.count - 1)]
    }

    // MARK: Looking after a network

    private func look(after place: WiFiPlace, _ record: MoveRecord, _ way: any WiFiWay) {
        watch = Task { [weak self, interval = options.watchInterval] in
            while true {
                do { try await Loop.sleep(for: interval) } catch { return }
                // A question that fails tells nothing.
                guard (try? await way.isJoined(record, place)) == false, !Task.isCancelled else { continue }
                guard let self else { return }
                lost(record)
                return
            }
        }
    }

    private func lost(_ record: MoveRecord) {
        watch = nil
        guard let session, self.record?.ssid == record.ssid else { return }
        log.notice("the network that was joined is gone", ["ssid": .init(record.ssid)])
        onLost?(session, record.ssid)
    }

    /// Runs `body` to its end though the present task may be cancelled.
    private func undisturbed(_ body: @escaping @Loop () async throws(WiFiError) -> Void) async throws(WiFiError) {
        let task = Task { () async -> WiFiError? in
            do throws(WiFiError) {
                try await body()
                return nil
            } catch {
                return error
            }
        }
        if let error = await task.value { throw error }
    }
}
