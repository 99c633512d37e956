import Crypto
import DeviceInterface
import EventLoop
import HomeModel
import JSON
import TuyaProtocol

// Devices that come in while the adapter runs.
extension TuyaAdapter {
    /// Takes a device in, or gives one that is there a new key: id, name and everything that it has shown stay.
    ///
    /// - Parameters:
    ///   - place: where it was just seen.
    ///   - session: a connection that stands with the same settings, which is gone on with.
    /// - Returns: how its connection is; nil for a sub-device, and for a device of the configuration, which stays as it is.
    @discardableResult
    func adopt(_ paired: PairedDevice, at place: SocketAddress?, session: DeviceSession?) -> LinkStatus? {
        guard let house, let desk else { return nil }
        let id = VendorID(paired.id)
        remember(paired, desk)
        guard config.device(paired.id) == nil else {
            house.log(.warning, "a paired device stands in the configuration, which wins", ["device": paired.id])
            session?.stop()
            return nil
        }
        guard let known = known[paired.id] else { return nil }
        let shared = SharedSettings(settings(of: known))
        let before = devices[id]
        var learned = before?.learned ?? house.learned.take(paired.id) ?? LearnedDevice()
        // A new key may come with a new firmware.
        if let version = session?.machine.version ?? paired.likelyVersion { learned.version = version }
        if let before { drop(before) }
        add(shared, isConfigured: false, learned: learned, session: session)
        house.learned.changed(paired.id)
        guard let device = devices[id] else { return nil }
        if let before { device.follow(before) }
        if before != nil, device.state.properties.isEmpty {
            // What the gateway knows of it says more than nothing.
            if let key = paired.key { desk.keep(key.text, of: id) }
        } else {
            device.introduce(to: house.host, secrets: secrets(of: paired))
        }
        guard let line = device.line else {
            if let line = self.line(of: device) { line.introduce(device) } else { tellHubless(device) }
            return nil
        }
        let source = place ?? paired.hint.flatMap { SocketAddress(ip: $0, port: 0) }
        if table[paired.id] == nil || place != nil, let source {
            line.session.sighted(at: source.with(port: device.settings.port), version: nil)
        }
        line.start(spread: .zero)
        return line.session.status
    }

    /// Takes over the data points of a device that is there; its connection goes on.
    func learn(schema: JSON, of id: String) {
        guard let desk, let house, let before = devices[VendorID(id)], !before.isConfigured else { return }
        var options = desk.store.options[id] ?? [:]
        options["schema"] = schema
        desk.store.put(options, of: id)
        guard let known = known[id] else { return }
        let shared = SharedSettings(settings(of: known))
        guard shared.settings != before.settings else { return }
        let session = before.line?.release()
        let learned = before.learned
        let children = before.line?.children.values.map { $0 } ?? []
        drop(before)
        add(shared, isConfigured: false, learned: learned, session: session)
        guard let device = devices[VendorID(id)] else { return }
        device.follow(before)
        for child in children { device.line?.add(child: child) }
        if let line = device.line {
            line.start(spread: .zero)
        } else {
            device.describe(to: house.host)
        }
    }

    /// A trial connection to a device before it is taken in.
    func makeTrial(_ paired: PairedDevice) throws(CommandError) -> DeviceSession {
        var options = paired.options
        options["port"] = JSON(Int(config.pairing.ports.lan))
        // What the operator set wins, as it will when the device is taken in.
        for (key, value) in known[paired.id]?.options ?? [:] { options[key] = value }
        let parts = DeviceSettings.KnownParts(
            id: paired.id,
            options: options,
            secrets: secrets(of: paired) ?? Secrets()
        )
        let machine = SessionMachine(
            settings: SharedSettings(try DeviceSettings(known: parts)),
            rules: house?.rules ?? SessionRules(times: config.times, unixTime: { WallClock.seconds }),
            provenVersion: paired.likelyVersion,
            seed: .random(in: .min ... .max)
        )
        return DeviceSession(machine: machine)
    }

    // MARK: Trials

    /// Leaves a device alone while another connection to it is tried.
    func pause(_ id: VendorID) { devices[id]?.line?.pause() }

    /// Goes on with a device that was left alone.
    func resume(_ id: VendorID) { devices[id]?.line?.resume() }

    /// Waits until a device is heard on the network.
    func waitForBeacon(of id: String, within limit: Duration) async -> SocketAddress? {
        let once = Once<SocketAddress>()
        beaconWaiters.append((id, once))
        house?.seek(true)
        let place = await once.wait(within: limit)
        house?.seek(false)
        beaconWaiters.removeAll { $0.once === once }
        return place
    }

    /// What an import compares a list with.
    var knownForImport: [String: ImportPlan.Known] {
        var all: [String: ImportPlan.Known] = [:]
        for device in devices.values {
            let options = desk?.store.options[device.id.text] ?? [:]
            all[device.id.text] = ImportPlan.Known(
                key: device.settings.localKey,
                options: options,
                isConfigured: device.isConfigured
            )
        }
        return all
    }

    private func remember(_ paired: PairedDevice, _ desk: PairingDesk) {
        var options = desk.store.options[paired.id] ?? [:]
        for (key, value) in paired.options {
            // A name that somebody knows the device by stays.
            if key == "name", known[paired.id] != nil, options["name"] != nil { continue }
            options[key] = value
        }
        let port = config.pairing.ports.lan
        if port != DeviceSettings(id: "").port, options["port"] == nil { options["port"] = JSON(Int(port)) }
        options[Self.hintKey] = paired.hint.map { .string($0) } ?? options[Self.hintKey]
        desk.store.put(options, of: paired.id)
        let secrets = secrets(of: paired) ?? Secrets()
        if var known = known[paired.id] {
            known.secrets = known.secrets.merging(secrets)
            self.known[paired.id] = known
        } else {
            let id = DeviceID.derived(from: paired.id, isTaken: { _ in false }, digest: { _ in "00000000" })
            known[paired.id] = KnownDevice(vendorID: VendorID(paired.id), id: id, secrets: secrets)
        }
    }

    private func secrets(of paired: PairedDevice) -> Secrets? {
        paired.key.map { Secrets([DeviceSettings.localKeyName: $0.text]) }
    }

    /// The member of a paired device's options that is no option: where it was when it was paired.
    static let hintKey = "last_address"
}

extension LocalKey {
    /// The key as it is written.
    fileprivate var text: String {
        var text = ""
        for byte in secret.exposedBytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
        return text
    }
}
