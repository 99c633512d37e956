import DeviceInterface
import EventLoop
import Glibc
import HomeModel
import JSON
import Log
import PluginWire

/// Keeps one plugin running: starts it, finds it dead or hanging, starts it again as ``RestartPolicy`` says, and stops it.
@Loop
final class PluginSupervisor {
    let id: PluginID
    let adapter: RemoteAdapter
    let recorder: FlightRecorder
    private(set) var status: PluginStatus

    let plugin: PluginCatalog.Plugin
    private let settings: PluginHostSettings
    private let log: Log
    private let desk: any AdapterHost
    private unowned let delegate: any PluginHostDelegate
    private var policy: RestartPolicy
    private var throttle = LogThrottle<Int>(limit: 100, interval: .seconds(1), capacity: 1)
    private var process: PluginProcess?
    private var bringUp: Task<Void, Never>?
    /// Whether the plugin is meant to run.
    private var isWanted = false
    /// The start's deadline, the wait for a restart, or the wait for stability.
    private var timer: LoopTimer?
    private var pings: LoopTimer?

    init(
        _ plugin: PluginCatalog.Plugin,
        recorder: FlightRecorder?,
        restarts: Int,
        settings: PluginHostSettings,
        delegate: any PluginHostDelegate,
        log: Log
    ) {
        let id = plugin.manifest.id
        let recorder = recorder ?? FlightRecorder(keys: plugin.manifest.secrets)
        self.id = id
        self.plugin = plugin
        self.recorder = recorder
        self.settings = settings
        self.delegate = delegate
        self.log = log.adding(["plugin": "\(id)"])
        desk = delegate.host(of: id)
        adapter = RemoteAdapter(plugin: id, recorder: recorder, methods: plugin.manifest.pairing)
        policy = RestartPolicy(settings.times.restart)
        status = PluginStatus(
            id: id,
            name: plugin.manifest.name,
            version: plugin.manifest.version,
            state: .stopped,
            restarts: restarts,
            since: .now
        )
        adapter.onStatus = { [weak self] in self?.statusChanged($0) }
    }

    // MARK: Starting

    /// Starts the plugin; what becomes of it shows in ``status``.
    func start() {
        guard !isWanted else { return }
        isWanted = true
        launch()
    }

    private func launch() {
        timer = nil
        do {
            let directory = try Self.makeDirectory(settings.dataDirectory + "/plugins/\(id)")
            let process = try PluginProcess(
                command(directory),
                recorder: recorder,
                onLine: { [weak self] in self?.tell($0, $1) },
                onEnd: { [weak self] in self?.ended($0) }
            )
            self.process = process
            adapter.attach(process.connection)
            timer = LoopTimer(after: settings.times.start) { [weak process, times = settings.times] in
                process?.kill(because: "did not start within \(times.start)")
            }
            change(.starting)
            bringUp = Task.immediate { @Loop [weak self] in await self?.initialize(process, directory) }
        } catch let error as CommandError {
            crashed("cannot be started: \(error.message)")
        } catch {
            crashed("cannot be started: \(error)")
        }
    }

    private func command(_ directory: String) -> PluginProcess.Command {
        var environment = PluginEnvironment.allowed(of: settings.environment)
        environment["LINTEL_GATEWAY_PID"] = String(getpid())
        return PluginProcess.Command(
            executable: plugin.executable,
            arguments: plugin.manifest.arguments,
            environment: environment,
            workingDirectory: directory,
            limits: delegate.limits(of: id)
        )
    }

    private func initialize(_ process: PluginProcess, _ directory: String) async {
        var isInitialized = false
        do throws(CommandError) {
            let setup = try await delegate.setup(of: id)
            try await adapter.initialize(
                AdapterSetup(
                    gatewayVersion: settings.gatewayVersion,
                    config: setup.config,
                    devices: setup.devices,
                    secrets: setup.secrets,
                    stateDirectory: directory
                ),
                host: desk
            )
            isInitialized = true
            try await adapter.start()
            guard process === self.process, isWanted, !process.hasEnded else { return }
            becameReady(nil)
        } catch {
            guard process === self.process, isWanted, !process.hasEnded, error.code != .pluginDown else { return }
            failed(error, process, isInitialized: isInitialized)
        }
    }

    private func becameReady(_ problem: CommandError?) {
        if let version = adapter.identity?.pluginVersion, !version.isEmpty { status.version = version }
        change(problem == nil ? .running : .needsUser, detail: problem?.message ?? "")
        timer = LoopTimer(after: settings.times.restart.stable) { [weak self] in self?.becameStable() }
        pings = LoopTimer(after: settings.times.pingInterval, every: settings.times.pingInterval) { [weak self] in
            self?.ping()
        }
        log.notice("plugin started", ["version": "\(status.version)", "pid": LogValue(Int(status.pid ?? 0))])
    }

    private func becameStable() {
        let wasQuarantined = policy.isQuarantined
        policy.becameStable()
        guard wasQuarantined else { return }
        log.notice("plugin has left quarantine")
        delegate.pluginChanged(status)
    }

    private func failed(_ error: CommandError, _ process: PluginProcess, isInitialized: Bool) {
        switch error.code {
        case .invalidConfig, .authFailed, .notAuthorized, .keyChanged:
            status.lastError = error.message
            log.error(
                "a person must act for the plugin",
                ["code": "\(error.code.rawValue)", "reason": "\(error.message)"]
            )
            // Initialized, it stays, so that it can be configured; otherwise it is of no use.
            if isInitialized { return becameReady(error) }
            end(process, .needsUser, error.message)
        case .unsupportedProtocol:
            status.lastError = error.message
            log.error("plugin cannot be used", ["reason": "\(error.message)"])
            end(process, .broken, error.message)
        default:
            process.kill(because: "could not start: \(error.message)")
        }
    }

    /// Stops a process that is of no use, and stays in a state until somebody reloads the plugin.
    private func end(_ process: PluginProcess, _ state: PluginStatus.State, _ detail: String) {
        isWanted = false
        timer = nil
        let times = settings.times
        Task.immediate { @Loop in await process.stop(times, because: "could not start: \(detail)") }
        change(state, detail: detail)
    }

    // MARK: Watching

    private func ping() {
        guard let process, !process.hasEnded else { return }
        let grace = settings.times.pingGrace
        process.connection.call(.ping, within: grace, isUrgent: true) { [weak process] result in
            guard case .failure(let error) = result, error.code == .timeout else { return }
            process?.kill(because: "hangs: no answer to a ping within \(grace)")
        }
    }

    private func statusChanged(_ reported: AdapterStatus) {
        guard status.state.isUp else { return }
        switch reported.state {
        case .ok: change(.running)
        case .degraded: change(.degraded, detail: reported.detail)
        case .needsUser: change(.needsUser, detail: reported.detail)
        }
    }

    private func tell(_ level: String, _ text: String) {
        guard case .pass(let suppressed) = throttle.admit(0, at: Loop.now.nanoseconds) else { return }
        let metadata = suppressed > 0 ? ["suppressed": String(suppressed)] : [:]
        desk.log(AdapterLogRecord(level: level, message: text, metadata: metadata))
    }

    // MARK: Ending

    private func ended(_ reason: String) {
        process = nil
        pings = nil
        timer = nil
        bringUp?.cancel()
        bringUp = nil
        status.pid = nil
        adapter.detach(because: RemoteAdapter.down(id, reason))
        if isWanted { crashed(reason) }
        delegate.pluginWentDown(id)
    }

    private func crashed(_ reason: String) {
        let wasQuarantined = policy.isQuarantined
        status.lastError = reason
        switch policy.crashed(at: Loop.now, chance: Double.random(in: 0..<1)) {
        case .restart(let delay) where delay == .zero:
            log.warning("plugin crashed, starting it again", ["reason": "\(reason)"])
            status.restarts += 1
            // Whoever is told of the crash first hears the end of it.
            timer = LoopTimer(after: .zero) { [weak self] in self?.launch() }
            change(.backoff, detail: "It \(reason); it is started again.")
        case .restart(let delay):
            log.warning("plugin crashed", ["reason": "\(reason)", "restart_in": "\(delay)"])
            status.restarts += 1
            timer = LoopTimer(after: delay) { [weak self] in self?.launch() }
            change(.backoff, detail: "It \(reason); it is started again in \(delay.words).")
        case .quarantine(let delay):
            if wasQuarantined {
                log.info("plugin crashed again in quarantine", ["reason": "\(reason)"])
            } else {
                log.error("plugin crashes again and again, in quarantine", ["reason": "\(reason)"])
            }
            status.restarts += 1
            timer = LoopTimer(after: delay) { [weak self] in self?.launch() }
            change(.quarantined, detail: "It crashed too often (\(reason)); it is tried every \(delay.words).")
        }
    }

    /// Stops the plugin and waits until its process is gone.
    func stop() async {
        isWanted = false
        timer = nil
        pings = nil
        bringUp?.cancel()
        await process?.stop(settings.times)
        guard !isWanted else { return }
        change(.stopped)
    }

    private func change(_ state: PluginStatus.State, detail: String = "") {
        var next = status
        next.state = state
        next.detail = detail
        next.pid = process?.pid
        if state != status.state { next.since = .now }
        status = next
        delegate.pluginChanged(next)
    }

    /// Makes the plugin's own folder where it is missing.
    ///
    /// - Returns: its absolute path, because the plugin runs in it.
    private static func makeDirectory(_ path: String) throws(CommandError) -> String {
        for (place, byte) in zip(path.indices, path.utf8) where byte == UInt8(ascii: "/") && place > path.startIndex {
            mkdir(String(path[..<place]), 0o700)
        }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST, let directory = absolutePath(path) else {
            throw CommandError(.internal, "cannot make \(path): \(String(cString: strerror(errno)))")
        }
        return directory
    }
}

extension Duration {
    /// For people: `4 s`, `5 min`.
    fileprivate var words: String {
        let seconds = (Double(components.seconds) + Double(components.attoseconds) / 1e18)
        if seconds < 1 { return "a moment" }
        return seconds < 120 ? "\(Int(seconds.rounded())) s" : "\(Int((seconds / 60).rounded())) min"
    }
}
