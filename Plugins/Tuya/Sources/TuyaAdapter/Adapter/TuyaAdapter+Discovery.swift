import DeviceInterface
import EventLoop
import HomeModel
import TuyaProtocol

extension TuyaAdapter {
    /// Listens for devices, as far as the configuration and the system allow.
    func startDiscovery() {
        guard config.discovery.isEnabled, let house else { return }
        do throws(TuyaProtocolError) {
            let service = try DiscoveryService(config.discovery, interval: config.times.discoveryQuery) {
                [weak self] message, source in self?.heard(message, from: source)
            }
            service.start()
            discovery = service
            report(service.troubles, to: house)
            updateCalling()
        } catch {
            house.host.statusChanged(AdapterStatus(.degraded, detail: "Devices cannot be looked for: \(error.code)."))
        }
    }

    private func report(_ troubles: [DiscoveryService.Trouble], to house: TuyaHouse) {
        guard !troubles.isEmpty else { return house.host.statusChanged(AdapterStatus(.ok)) }
        let ports = troubles.map { "\($0.port)" }.joined(separator: ", ")
        house.host.statusChanged(
            AdapterStatus(
                .degraded,
                detail:
                    "Cannot listen for devices on UDP \(ports), another program may hold it; devices without an address "
                    + "may not be found."
            )
        )
        for trouble in troubles {
            house.log(.warning, "cannot listen for devices", ["port": "\(trouble.port)", "reason": trouble.reason])
        }
    }

    /// Beyond so many devices heard, new ones are not worth a record each.
    private static let loggedStrangers = 256

    /// Devices are called only while the place of one is looked for.
    func updateCalling() { discovery?.isCalling = house?.isSearching ?? false }

    private func heard(_ message: DiscoveryMessage, from source: SocketAddress) {
        guard phase == .running, case .device(let beacon) = message, let claimed = beacon.gatewayID else { return }
        for run in runs.values { run.heard(beacon, id: String(claimed.prefix(64)), from: source) }
        let line = devices[VendorID(claimed)]?.line
        let isNew = table[claimed] == nil
        guard let id = table.note(beacon, from: source, isConfigured: line != nil, at: .now) else { return }
        for waiter in beaconWaiters where waiter.id == id { waiter.once.happen(source) }
        if let line { return line.sighted(beacon, at: source) }
        // Forged beacons could fill the log.
        guard isNew, table.count <= Self.loggedStrangers else { return }
        let version = beacon.version?.text ?? "unknown"
        house?.log(.info, "a device that nobody has configured was heard", ["device": id, "version": version])
    }
}
