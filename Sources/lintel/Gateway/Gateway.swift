import Config
import Crypto
import EventLoop
import Glibc
import HomeModel
import Hub
import JSON
import Log
import MQTT
import MQTTBridge
import PluginHost
import Registry
import WiFiLink

/// The gateway put together: registry, hub, plugins and the MQTT door.
@Loop
final class Gateway {
    private let configuration: Configuration
    /// The file that it was read from; read again when a plugin is reloaded.
    private let path: String
    private let log: Log
    private let levels: LogLevels
    private let startedAt = Timestamp.now
    /// Called when a request asks for a restart, after it was answered.
    var onRestart: @Loop () -> Void = {}
    private var restartTimer: LoopTimer?
    private var isStarted = false
    private var broker: EmbeddedBroker?
    private var registry: Registry?
    private var plugins: PluginService?
    private var bridge: MQTTBridge?
    private var hub: Hub?
    private var radio: WiFiLink?

    init(configuration: Configuration, path: String, log: Log, levels: LogLevels) {
        self.configuration = configuration
        self.path = path
        self.log = log
        self.levels = levels
    }

    /// Starts everything; returns when plugins and the connection to the broker are under way.
    ///
    /// - Throws: ``Failure`` where the data directory or the embedded broker cannot be used.
    func start() async throws(Failure) {
        for warning in configuration.warnings { log.warning("configuration", ["problem": "\(warning)"]) }
        try Files.makeFolder(configuration.dataDirectory)
        let registry = try await openRegistry()
        self.registry = registry
        // The registry has locked the data directory, so that nobody else's radio is taken for ours.
        let radio = Radio.make(configuration, log: log.area("wifi"))
        self.radio = radio
        await radio.recover(waiting: Radio.patience)
        if case .embedded(let port) = configuration.mqtt.broker {
            let folder = "\(configuration.dataDirectory)/broker"
            let broker = EmbeddedBroker(folder: folder, port: port, log: log.area("broker"))
            try await broker.start()
            self.broker = broker
        }
        let hub = Hub(
            store: registry,
            log: log.area("hub"),
            maxDevices: configuration.limits.devices,
            digest: Self.sha256,
            clock: { .now }
        )
        self.hub = hub
        if configuration.wifi.way != .off { hub.wifi = radio }
        do throws(CommandError) {
            try await hub.restore()
        } catch {
            throw Failure(.configuration, "The registry cannot be read: \(error.message)", hint: error.hint)
        }
        let plugins = PluginService(configuration: configuration, path: path, hub: hub, log: log.area("plugins"))
        hub.plugins = plugins
        hub.namedSecrets = configuration.secrets
        self.plugins = plugins
        addRequests(to: hub)
        // Before the door, which clears topics of plugins that there are no longer.
        await plugins.start()
        let bridge = makeBridge(hub, registry)
        self.bridge = bridge
        do throws(CommandError) {
            try await bridge.start()
        } catch {
            throw Failure(.configuration, "The ledger of retained topics cannot be read: \(error.message)")
        }
        isStarted = true
        log.notice(
            "gateway started",
            [
                "version": "\(Version.text)", "devices": "\(hub.devices.count)",
                "base_topic": "\(configuration.mqtt.baseTopic)",
            ]
        )
    }

    /// Stops everything in the order in which nothing is lost: doors last, so that they can say offline.
    func stop() async {
        await hub?.stopPairing()
        await plugins?.stop()
        await bridge?.stop()
        await radio?.stop()
        await hub?.flush()
        await registry?.close()
        await broker?.stop()
        if isStarted { log.notice("gateway stopped") }
    }

    private static func sha256(_ text: String) -> String {
        guard let digest = try? Digest.sha256(Array(text.utf8)) else { preconditionFailure("libcrypto has no SHA-256") }
        return Hex.encode(digest)
    }

    private func openRegistry() async throws(Failure) -> Registry {
        var options = RegistryOptions(directory: configuration.dataDirectory)
        options.credentialsDirectory = getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }
        let log = log.area("registry")
        do throws(RegistryError) {
            return try await Registry.open(options) { notice in
                log.forward(notice.isWarning ? .warning : .notice, notice.description)
            }
        } catch {
            throw Failure(.configuration, error.message, hint: error.hint)
        }
    }

    private func makeBridge(_ hub: Hub, _ registry: Registry) -> MQTTBridge {
        let mqtt = configuration.mqtt
        let installation = registry.installationID
        var options = mqtt.clientOptions(clientID: mqtt.clientID ?? "lintel-\(installation)")
        options.will = MQTTBridge.will(baseTopic: mqtt.baseTopic)
        if options.tls?.isInsecure == true {
            log.warning("the broker's certificate is NOT verified (mqtt.tls.insecure)", ["host": "\(options.host)"])
        }
        var bridgeOptions = BridgeOptions(
            baseTopic: mqtt.baseTopic,
            installationID: installation,
            version: Version.text,
            startedAt: startedAt
        )
        bridgeOptions.commandBytes = configuration.limits.commandBytes
        let bridge = MQTTBridge(
            client: MQTTClient(options),
            hub: hub,
            ledger: registry,
            log: log.area("mqtt"),
            options: bridgeOptions
        )
        bridge.extraHealth = { [startedAt] in
            [
                "uptime_s": .integer((Timestamp.now.milliseconds - startedAt.milliseconds) / 1000),
                "memory_kib": .integer(ProcessMemory.residentKiB),
            ]
        }
        return bridge
    }

    private func addRequests(to hub: Hub) {
        hub.requests.add("restart") { [weak self] _ in
            // The answer goes out first.
            self?.restartTimer = LoopTimer(after: .milliseconds(200)) { self?.onRestart() }
            return ["restarting": true]
        }
        hub.requests.add("log/level") { [levels, log] in
            let text = try $0.string("level")
            guard let level = LogLevel(rawValue: text) else {
                let known = LogLevel.allCases.map(\.rawValue).joined(separator: ", ")
                throw CommandError(.badRequest, "\"level\" must be one of \(known).")
            }
            if let area = try $0.optionalString("area") { levels.set(level, for: area) } else { levels.set(level) }
            log.notice("log level changed", ["level": "\(level.rawValue)"])
            return ["level": .string(level.rawValue)]
        }
    }
}

extension Timestamp {
    /// The time of day.
    static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
