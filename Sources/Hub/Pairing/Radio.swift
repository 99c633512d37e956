import DeviceInterface
import EventLoop
import HomeModel
import JSON
import Log

/// The gateway's one radio: which session has it, and its way home.
///
/// A session gets it with its first join and has it until it leaves or ends.
@Loop
final class Radio {
    private let log: Log
    /// What moves it; nil where there is none.
    weak var port: (any WiFiPort)? {
        didSet { port?.onLost = { [weak self] in self?.onLost($0, $1) } }
    }
    /// Told when a network that a session joined is gone.
    var onLost: @Loop (PairingID, String) -> Void = { _, _ in }
    /// The session that has it.
    private(set) var holder: PairingID?
    private var joining: Task<Result<WiFiPlace, CommandError>, Never>?
    private var leaving: Task<CommandError?, Never>?

    init(log: Log) {
        self.log = log
    }

    /// The networks in reach.
    ///
    /// - Parameter session: who asks; nil for a person.
    /// - Throws: `capability_missing` without a radio, `device_busy` while another session has it, what the port says.
    func scan(for session: PairingID?) async throws(CommandError) -> [WiFiSighting] {
        try checkFree(for: session)
        return try await existingPort().scan()
    }

    /// Joins a network.
    func join(_ join: WiFiJoin, prompt: @escaping WiFiPrompt) async throws(CommandError) -> WiFiPlace {
        let port = try existingPort()
        try checkFree(for: join.session)
        guard joining == nil, leaving == nil else {
            throw CommandError(.deviceBusy, "The radio is still on its way for this session.")
        }
        holder = join.session
        let task = Task { @Loop () -> Result<WiFiPlace, CommandError> in
            do throws(CommandError) {
                return .success(try await port.join(join, prompt: prompt))
            } catch {
                return .failure(error)
            }
        }
        joining = task
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        joining = nil
        return try result.get()
    }

    /// Brings the radio home where a session has it; returns when it is there.
    func leave(for session: PairingID, prompt: @escaping WiFiPrompt) async throws(CommandError) {
        guard holder == session else { return }
        if let leaving {
            if let error = await leaving.value { throw error }
            return
        }
        let joining = joining
        joining?.cancel()
        let port = port
        let task = Task { @Loop () -> CommandError? in
            // Else it could move after it came home.
            _ = await joining?.value
            do throws(CommandError) {
                try await port?.leave(for: session, prompt: prompt)
                return nil
            } catch {
                return error
            }
        }
        leaving = task
        let error = await task.value
        leaving = nil
        holder = nil
        guard let error else { return }
        log.error(
            "the radio did not come home after a pairing",
            ["session": "\(session)", "reason": "\(error.message)"]
        )
        throw error
    }

    private func existingPort() throws(CommandError) -> any WiFiPort {
        if let port { return port }
        throw CommandError(
            .capabilityMissing,
            "The gateway has no radio that it may move.",
            hint: "See wifi in the configuration; wifi.way: manual asks you to move it."
        )
    }

    private func checkFree(for session: PairingID?) throws(CommandError) {
        guard let holder, holder != session else { return }
        throw CommandError(
            .deviceBusy,
            "The pairing session \(holder) has the radio.",
            hint: "Wait until it has ended, or cancel it.",
            details: ["session": .string(holder.text)]
        )
    }
}
