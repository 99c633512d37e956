package import DeviceInterface
package import EventLoop
package import HomeModel
package import JSON
import TuyaProtocol

/// The vendor's devices on the LAN, behind the interface that all vendors share.
///
/// It owns one ``DeviceLine`` per device that is connected to; sub-devices are carried by their hub's. All decisions are in
/// values (``SessionMachine``, ``DeviceState``, ``DiscoveryTable``, ``TuyaConfig``); this and the lines only act.
@Loop
package final class TuyaAdapter: DeviceAdapter {
    enum Phase { case fresh, initialized, running, stopped }

    /// The plugin's version, as in its `plugin.json`.
    package nonisolated static let version = "0.1.0"

    /// The key in the gateway's store under which the ids of configured devices are kept.
    static let configuredKey = "configured"

    var phase = Phase.fresh
    var config = TuyaConfig()
    /// Devices that the gateway remembers, by their own ids.
    var known: [String: KnownDevice] = [:]
    var house: TuyaHouse?
    /// All devices, sub-devices included; those that are connected to have a line.
    var devices: [VendorID: TuyaDevice] = [:]
    var table = DiscoveryTable()
    var discovery: DiscoveryService?
    /// Pairing sessions under way.
    var runs: [PairingID: any PairingRun] = [:]
    var desk: PairingDesk?
    /// Who waits for a device to be heard.
    var beaconWaiters: [(id: String, once: Once<SocketAddress>)] = []
    private let makeCloud: CloudMaker
    let catalog = ProductCatalog()

    /// - Parameter makeCloud: makes the client of the vendor's cloud that pairing asks.
    package init(makeCloud: @escaping CloudMaker = { TuyaCloud($0) }) { self.makeCloud = makeCloud }

    package func initialize(_ setup: AdapterSetup, host: any AdapterHost) async throws(CommandError) {
        config = try TuyaConfig(json: setup.config)
        known = [:]
        for device in setup.devices { known[device.vendorID.text] = device }
        house = makeHouse(host)
        let (accounts, problems) = CloudAccount.all(configured: config.accounts, secrets: setup.secrets)
        for problem in problems { house?.log(.warning, problem.message) }
        desk = PairingDesk(self, host: host, account: accounts.first, makeCloud: makeCloud)
        phase = .initialized
    }

    package func start() async throws(CommandError) {
        guard phase == .initialized || phase == .stopped, let house else {
            throw CommandError(.internal, "start comes after initialize.")
        }
        await house.learned.load()
        try await desk?.store.load()
        await reportGhosts(to: house.host)
        phase = .running
        startDiscovery()
        let ids = config.ids
        for shared in wantedDevices(besides: ids) { add(shared, isConfigured: ids.contains(shared.settings.id)) }
        let lines = devices.values.compactMap(\.line)
        let spread = config.times.startSpread * lines.count
        for line in lines { line.start(spread: spread) }
        for device in devices.values where device.settings.hub != nil && line(of: device) == nil { tellHubless(device) }
    }

    package func stop() async {
        guard phase == .running else { return }
        phase = .stopped
        await stopPairing()
        discovery?.stop()
        discovery = nil
        for device in devices.values { device.line?.stop() }
        await house?.learned.flush()
        for device in devices.values { device.line = nil }
        devices = [:]
    }

    // MARK: Calls for a device

    package func read(_ request: ReadRequest, reply: @escaping Reply<ReadResult>) {
        guard let device = devices[request.device] else { return reply(.failure(Self.unknown(request.device))) }
        guard let line = line(of: device) else { return reply(.failure(Self.hubless)) }
        line.read(device, request, reply: reply)
    }

    package func write(_ request: WriteRequest, reply: @escaping Reply<WriteReceipt>) {
        guard let device = devices[request.device] else { return reply(.failure(Self.unknown(request.device))) }
        guard let line = line(of: device) else { return reply(.failure(Self.hubless)) }
        line.write(device, request, reply: reply)
    }

    package func invoke(_ request: InvokeRequest, reply: @escaping Reply<JSON>) {
        guard devices[request.device] != nil else { return reply(.failure(Self.unknown(request.device))) }
        reply(.failure(CommandError(.capabilityMissing, "The device has no action \"\(request.action.prefix(64))\".")))
    }

    package func remove(_ id: VendorID, unpair: Bool) async throws(CommandError) {
        guard let device = devices[id] else {
            // Nothing is left of it but the gateway's memory.
            guard known.removeValue(forKey: id.text) != nil else { throw Self.unknown(id) }
            desk?.store.forget(id.text)
            house?.learned.changed(id.text)
            return
        }
        guard !device.isConfigured else {
            throw CommandError(
                .conflict,
                "The device stands in the configuration.",
                hint: "Delete it under plugins.tuya.devices and reload the plugin."
            )
        }
        if unpair { try await desk?.unbind(id.text) }
        // It may have been replaced meanwhile.
        guard let device = devices[id] else { return }
        known[id.text] = nil
        desk?.store.forget(id.text)
        drop(device)
        house?.learned.changed(id.text)
    }

    static func unknown(_ id: VendorID) -> CommandError {
        CommandError(.deviceNotFound, "The plugin has no device \(id.text.prefix(64)).")
    }

    static let hubless = CommandError(.deviceOffline, "The hub of the device is not known.")

    // MARK: Devices

    /// The devices of the configuration, then those of the gateway that do not stand there and can be talked to.
    ///
    /// - Parameter configured: the ids of the configuration.
    /// - Returns: those that are connected to, then those that a hub carries.
    func wantedDevices(besides configured: Set<String>) -> [SharedSettings] {
        let others = known.values.filter { !configured.contains($0.vendorID.text) }
            .sorted { $0.vendorID.text < $1.vendorID.text }.map { SharedSettings(settings(of: $0)) }
        let all = config.shared + others
        return all.filter { $0.settings.hub == nil } + all.filter { $0.settings.hub != nil }
    }

    /// The settings of a device that the gateway remembers.
    func settings(of device: KnownDevice) -> DeviceSettings {
        var options = desk?.store.options[device.vendorID.text] ?? [:]
        options[Self.hintKey] = nil
        // What the operator set wins over what pairing found out.
        for (key, value) in device.options { options[key] = value }
        let parts = DeviceSettings.KnownParts(
            id: device.vendorID.text,
            options: options,
            secrets: device.secrets
        )
        do throws(CommandError) {
            return try DeviceSettings(known: parts)
        } catch {
            house?.log(
                .warning,
                "options of a device are not understood",
                ["device": parts.id, "reason": error.message]
            )
            let plain = DeviceSettings.KnownParts(id: parts.id, options: [:], secrets: parts.secrets)
            return (try? DeviceSettings(known: plain)) ?? DeviceSettings(id: parts.id)
        }
    }

    /// Makes a device, and its line unless its hub carries it.
    ///
    /// - Parameters:
    ///   - shown: what a device with the same id has shown of itself; nil: what was kept of it.
    ///   - session: a connection with the same settings that is gone on with.
    func add(
        _ shared: SharedSettings,
        isConfigured: Bool,
        learned shown: LearnedDevice? = nil,
        session: DeviceSession? = nil
    ) {
        guard let house else { return }
        let settings = shared.settings
        var learned = shown ?? house.learned.take(settings.id) ?? LearnedDevice()
        let model = catalog.model(for: settings, seen: learned.points)
        learned.points = model.seen
        let device = TuyaDevice(
            shared,
            isConfigured: isConfigured,
            learned: learned,
            model: model
        )
        // Until a lamp without a schema has spoken, what the gateway remembers of it is all there is to tell.
        if let before = known[settings.id]?.description {
            if device.state.properties.isEmpty { device.wasDescribed(as: before) }
            known[settings.id]?.description = nil
        }
        devices[device.id] = device
        if let hub = settings.hub {
            devices[VendorID(hub)]?.line?.add(child: device)
        } else {
            let line = DeviceLine(device, house: house, session: session)
            device.line = line
            // Sub-devices that were there before their hub.
            for child in devices.values where child.settings.hub == settings.id { line.add(child: child) }
            if let sighting = table[settings.id] {
                line.session.sighted(at: sighting.source.with(port: settings.port), version: sighting.version)
            } else if !isConfigured, let hint = desk?.store.options[settings.id]?[Self.hintKey]?.stringValue,
                let place = SocketAddress(ip: hint, port: settings.port)
            {
                line.session.sighted(at: place, version: nil)
            }
        }
    }

    /// Forgets a device without telling the gateway.
    func drop(_ device: TuyaDevice) {
        devices[device.id] = nil
        if let line = device.line {
            line.stop()
            device.line = nil
            for child in line.children.values { tellHubless(child) }
        } else {
            line(of: device)?.remove(child: device)
        }
    }

    func line(of device: TuyaDevice) -> DeviceLine? {
        guard let hub = device.settings.hub else { return device.line }
        return devices[VendorID(hub)]?.line
    }

    func tellHubless(_ device: TuyaDevice) {
        guard let house else { return }
        device.describe(to: house.host)
        device.tell(LinkStatus.offline(.hub(.addressUnknown)).connectivity, house.host)
    }

    private func makeHouse(_ host: any AdapterHost) -> TuyaHouse {
        let house = TuyaHouse(
            host: host,
            rules: SessionRules(times: config.times, unixTime: { WallClock.seconds }),
            catalog: catalog,
            learned: LearnedStore(host: host)
        )
        house.learned.present = { [weak self] in
            self?.devices.values.map { (id: $0.id.text, device: $0.learned) } ?? []
        }
        house.onSearchChange = { [weak self] in self?.updateCalling() }
        house.onLinkChange = { [weak self] device, status in self?.linkChanged(device, status) }
        return house
    }

    /// Devices that stood in the configuration before and do not any more are gone.
    func reportGhosts(to host: any AdapterHost) async {
        let stored = try? await host.storedValue(key: Self.configuredKey)
        let before = stored?.arrayValue?.compactMap(\.stringValue) ?? []
        let now = config.shared.map(\.settings.id)
        let ids = Set(now)
        guard before != now else { return }
        for id in before where !ids.contains(id) {
            // One that was also paired has a key of its own and lives on.
            if known[id]?.secrets.isEmpty == false { continue }
            known[id] = nil
            host.deviceRemoved(VendorID(id))
        }
        // Without it ghosts are reported once more at the next start, which does no harm.
        try? await host.storeValue(.array(now.map { .string($0) }), key: Self.configuredKey)
    }
}
