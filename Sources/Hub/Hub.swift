package import DeviceInterface
package import EventLoop
package import HomeModel
package import JSON
package import Log

/// Knows all devices, merges what they report, and carries every command to its plugin and its answer back.
///
/// Doors (MQTT, the command line, later HTTP) call it and are told of changes as ``HubObserver``; they have no logic of
/// their own. Plugins report through ``desk(for:)``.
@Loop
package final class Hub {
    /// Times that the hub keeps.
    package struct Timing: Sendable {
        /// How long a plugin may take to get a write acknowledged.
        package var write: Duration = .seconds(8)
        /// How long a plugin may take to read a device.
        package var read: Duration = .seconds(6)
        /// How long after its acknowledgement a value that was not reported is published as assumed.
        package var assume: Duration = .milliseconds(500)
        /// How long after its acknowledgement a command waits for the device's report before it is answered without.
        package var confirm: Duration = .seconds(2)
        /// Times of pairing sessions.
        package var pairing = PairingTimes()

        package init() {}
    }

    let store: any HouseStore
    let log: Log
    let timing: Timing
    let digest: (String) -> String
    let clock: () -> Timestamp
    /// The most devices; a plugin that finds more has them left out.
    let maxDevices: Int
    let commits: CommitQueue
    /// The running plugins; set once by the composition root, before any door opens.
    package weak var plugins: (any PluginDirectory)?
    /// The gateway's own radio, where there is one; set once by the composition root, which holds it.
    package weak var wifi: (any WiFiPort)? { didSet { pairings.radio.port = wifi } }
    /// Secrets of the configuration that requests may name; set once by the composition root.
    package var namedSecrets = Secrets()
    /// The pairing sessions.
    private(set) lazy var pairings = Pairings(hub: self)
    /// Requests by path; doors may add their own.
    package let requests: RequestTable

    var directory: [DeviceID: Device] = [:]
    var desks: [PluginID: PluginDesk] = [:]
    var reserved: [ReservedID] = []
    var shapes = DescriptionShapes()
    package internal(set) var homes: [Home] = []
    /// Held weakly: a door holds the hub, and both go when the composition root lets go of the door.
    private struct WeakObserver {
        weak var observer: (any HubObserver)?
    }
    private var observers: [WeakObserver] = []
    private(set) var assumptions: FixedDelayQueue<(Device, Confirmation)>
    private(set) var confirmations: FixedDelayQueue<(Device, Confirmation)>

    /// Makes a hub that knows nothing yet.
    ///
    /// - Parameter digest: lower-case hex of SHA-256, for ids that are taken.
    /// - Parameter clock: the time of day.
    package init(
        store: any HouseStore,
        log: Log,
        timing: Timing = Timing(),
        maxDevices: Int = 10_000,
        digest: @escaping (String) -> String,
        clock: @escaping () -> Timestamp
    ) {
        self.store = store
        self.log = log
        self.timing = timing
        self.maxDevices = maxDevices
        self.digest = digest
        self.clock = clock
        commits = CommitQueue(store: store)
        requests = RequestTable(log: log)
        assumptions = FixedDelayQueue(delay: timing.assume) { _ in }
        confirmations = FixedDelayQueue(delay: timing.confirm) { _ in }
        assumptions = FixedDelayQueue(delay: timing.assume) { [weak self] in self?.assume($0, $1) }
        confirmations = FixedDelayQueue(delay: timing.confirm) { [weak self] in self?.giveUp($0, $1) }
        addDeviceRequests()
        addHomeRequests()
        addPluginRequests()
        addPairingRequests()
    }

    /// Reads what was kept; devices appear with their last state, marked as restored.
    ///
    /// - Throws: what the store says; nothing is changed then.
    package func restore() async throws(CommandError) {
        let house = try await store.load()
        homes = house.homes
        reserved = house.reserved
        let now = clock()
        for var stored in house.devices {
            stored.record.description = shapes.sharing(stored.record.description)
            let starting = Connectivity(isOnline: false, reason: .starting)
            insert(Device(stored: stored, connectivity: starting, since: now))
        }
        for (plugin, secrets) in house.pluginSecrets { desk(for: plugin).secrets = secrets }
        await pairings.restore(house.openPairings)
    }

    /// Writes what is not written yet.
    package func flush() async {
        await commits.settle()
        await store.flush()
    }

    /// Tells a door of all changes from now on.
    package func observe(_ observer: any HubObserver) { observers.append(WeakObserver(observer: observer)) }

    /// The device with an id.
    package func device(_ id: DeviceID) -> Device? { directory[id] }

    /// All devices, by id.
    package var devices: [Device] { directory.values.sorted { $0.id < $1.id } }

    /// How many devices a plugin has.
    package func deviceCount(of plugin: PluginID) -> Int { desks[plugin]?.devices.count ?? 0 }

    /// Where a plugin reports.
    package func desk(for plugin: PluginID) -> PluginDesk {
        if let desk = desks[plugin] { return desk }
        let desk = PluginDesk(plugin: plugin, hub: self)
        desks[plugin] = desk
        return desk
    }

    /// What a plugin is told of its devices at its start.
    package func knownDevices(of plugin: PluginID) -> [KnownDevice] {
        let mine = desks[plugin]?.devices.values.sorted { $0.id < $1.id } ?? []
        return mine.map { device in
            KnownDevice(
                vendorID: device.record.vendorID,
                id: device.id,
                options: device.record.options,
                secrets: device.secrets,
                description: device.description
            )
        }
    }

    /// Secrets that a plugin keeps for itself, given back at its start.
    package func secrets(of plugin: PluginID) -> Secrets { desks[plugin]?.secrets ?? Secrets() }

    func insert(_ device: Device) {
        directory[device.id] = device
        desk(for: device.record.plugin).devices[device.record.vendorID] = device
    }

    func tell(_ body: (any HubObserver) -> Void) {
        for entry in observers {
            if let observer = entry.observer { body(observer) }
        }
    }

    /// Tells all doors of something that happened outside the hub.
    package func announce(_ kind: HubEvent.Kind, _ data: JSONObject) { tell(kind, data) }

    func tell(_ kind: HubEvent.Kind, _ data: JSONObject) {
        let event = HubEvent(kind, at: clock(), data: data)
        tell { $0.happened(event) }
    }
}
