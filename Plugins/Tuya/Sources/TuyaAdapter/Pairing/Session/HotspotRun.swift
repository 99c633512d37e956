import DeviceInterface
import EventLoop
import HomeModel
import JSON
import TuyaProtocol

/// Holds a pairing in a hotspot and does what its ``HotspotMachine`` decides.
@Loop
final class HotspotRun: PairingRun {
    private(set) var machine: HotspotMachine
    private let desk: PairingDesk
    private let home: HomeID?
    /// Devices that were paired and there before.
    private let old: Set<String>
    /// Called at the end, unless it was cancelled.
    private let ended: @Loop () -> Void

    private var timer: LoopTimer?
    private var isPerforming = false
    private var ears: HotspotEars?
    private var mouth: HotspotMouth?
    private var channel: HotspotChannel?
    private var oldChannel: OldChannel?
    private var isWatching = false
    private var adopted: VendorID?
    /// Calls to the gateway and the cloud.
    private var tasks: [Int: Task<Void, Never>] = [:]
    private var lastTask = 0
    /// The radio on its way home.
    private var leaving: Task<Void, Never>?
    /// The last word, which waits for that.
    private var ending: Task<Void, Never>?

    init(_ order: HotspotOrder, home: HomeID?, desk: PairingDesk, ended: @escaping @Loop () -> Void) {
        machine = HotspotMachine(order, settings: desk.settings)
        self.home = home
        self.desk = desk
        self.ended = ended
        old = desk.activatedIDs
    }

    // MARK: Calls

    func begin() {
        machine.start(at: .now)
        perform()
    }

    func answer(_ input: JSONObject) throws(CommandError) {
        handle(.answer(try machine.checked(input)))
    }

    func wifiLost(_ ssid: String) { handle(.hotspotLost(ssid: ssid)) }

    func heard(_ beacon: Beacon, id: String, from source: SocketAddress) {
        guard isWatching else { return }
        handle(.sighted(LANSighting(beacon, id: id, from: source, isOld: old.contains(id))))
    }

    func linkChanged(_ device: VendorID, _ status: LinkStatus) {
        if device == adopted { handle(.link(status)) }
    }

    func cancel() async {
        machine.stop()
        perform()
        ending?.cancel()
        for task in tasks.values { task.cancel() }
        // A cancelled task has nothing to tell, but the radio's way home is waited for.
        await leaving?.value
        tasks = [:]
    }

    // MARK: Running the machine

    private func handle(_ event: PairingEvent) {
        machine.handle(event, at: .now)
        perform()
    }

    private func perform() {
        guard !isPerforming else { return }
        isPerforming = true
        while true {
            let effects = machine.drain()
            if effects.isEmpty { break }
            for effect in effects { perform(effect) }
        }
        isPerforming = false
        timer = machine.deadline.map { moment in
            LoopTimer(at: moment) { [weak self] in
                guard let self else { return }
                machine.timeout(at: .now)
                perform()
            }
        }
    }

    private func perform(_ effect: HotspotEffect) {
        switch effect {
        case .fetchToken: fetchToken()
        case .scan: scan()
        case .join(let ssid): join(ssid)
        case .leave: leave()
        case .listen(let place): listen(place)
        case .stopListening:
            ears?.close()
            ears = nil
            mouth?.close()
            mouth = nil
        case .openChannel(let door): openChannel(door)
        case .closeChannel:
            channel?.close()
            channel = nil
        case .send(let command, let body): channel?.send(command, body)
        case .datagram(let bytes, let place, let address): say(bytes, place, address)
        case .openOldChannel(let address, let interface): openOldChannel(address, interface)
        case .closeOldChannel:
            oldChannel?.close()
            oldChannel = nil
        case .sendOld(let command, let body): oldChannel?.send(command, body)
        case .poll(let token): poll(token)
        case .fetchDevice(let id): fetchDevice(id)
        case .watchLAN(let isOn): watch(isOn)
        case .checkNeighbourhood(let address):
            later { run in run.handle(.neighbour(PairingDesk.isNear(address))) }
        case .adopt(let device, let sighting): adopt(device, sighting)
        case .tell(let progress): tell(progress)
        case .note(let note): desk.log(note, session: machine.order.session)
        }
    }

    /// Told after what is being performed, so that effects keep their order.
    private func later(_ body: @escaping @Loop (HotspotRun) -> Void) {
        Loop.nextTick { [weak self] in
            if let self { body(self) }
        }
    }

    // MARK: The gateway and the cloud

    private func spawn(_ body: @escaping @Loop (HotspotRun) async -> PairingEvent?) {
        lastTask += 1
        let id = lastTask
        tasks[id] = Task { @Loop [weak self] in
            guard let self else { return }
            let event = await body(self)
            tasks[id] = nil
            if let event, !Task.isCancelled { handle(event) }
        }
    }

    private func fetchToken() {
        spawn { run in .token(await run.desk.ticket(home: run.home)) }
    }

    private func poll(_ token: PairingToken) {
        spawn { run in .polled(await run.desk.poll(token)) }
    }

    private func fetchDevice(_ id: String) {
        spawn { run in
            let (result, mayRepeat) = await run.desk.device(id)
            return .described(result, mayRepeat: mayRepeat)
        }
    }

    private func scan() {
        spawn { run in
            do throws(CommandError) {
                return .scanned(.success(try await run.desk.host.scanWiFi(for: run.machine.order.session)))
            } catch { return .scanned(.failure(error)) }
        }
    }

    private func join(_ ssid: String) {
        spawn { run in
            await run.leaving?.value
            let join = WiFiJoin(session: run.machine.order.session, ssid: ssid)
            do throws(CommandError) {
                return .joined(.success(try await run.desk.host.joinWiFi(join)))
            } catch { return .joined(.failure(error)) }
        }
    }

    private func leave() {
        let before = leaving
        let session = machine.order.session
        let host = desk.host
        leaving = Task { @Loop [weak self] in
            await before?.value
            var failure: CommandError?
            do throws(CommandError) { try await host.leaveWiFi(for: session) } catch { failure = error }
            self?.leaving = nil
            self?.handle(.left(failure))
        }
    }

    // MARK: In the hotspot

    private func listen(_ place: WiFiPlace) {
        ears?.close()
        // Without ears the device may still be reached; the machine's deadlines tell.
        ears = try? HotspotEars(place, ports: desk.settings.ports) { [weak self] message, source in
            self?.heard(message, source)
        }
    }

    private func heard(_ message: DiscoveryMessage, _ source: SocketAddress) {
        switch message {
        case .hotspotDevice(let beacon):
            handle(.announced(HotspotDevice(fields: beacon.fields), address: source.ip))
        case .device(let beacon) where beacon.command == .clearAnnouncement:
            handle(.announcedOld(address: source.ip))
        case .device, .request, .drop: break
        }
    }

    private func openChannel(_ door: ChannelPlace) {
        channel?.close()
        channel = nil
        let ports = desk.settings.ports
        let port = door.pincode == nil ? ports.channel : ports.pinChannel
        guard let address = SocketAddress(ip: door.address, port: port) else {
            return later { $0.handle(.channelDown(.unreachable)) }
        }
        do throws(TuyaProtocolError) {
            channel = try HotspotChannel(
                to: address,
                interface: door.interface,
                pincode: door.pincode,
                patience: machine.settings.times.channel
            ) { [weak self] event in self?.handle(event) }
        } catch {
            later { $0.handle(.channelDown(.handshake("\(error)"))) }
        }
    }

    private func openOldChannel(_ address: String, _ interface: String) {
        oldChannel?.close()
        oldChannel = nil
        guard let address = SocketAddress(ip: address, port: desk.settings.ports.channel) else { return }
        let patience = machine.settings.times.query
        oldChannel = try? OldChannel(to: address, interface: interface, deadline: patience) { [weak self] event in
            self?.handle(event)
        }
    }

    private func say(_ datagram: [UInt8], _ place: WiFiPlace, _ address: String) {
        do throws(LoopError) {
            if mouth == nil { mouth = try HotspotMouth(place, ports: desk.settings.ports) }
            mouth?.say(datagram, to: address)
        } catch {
            later { $0.handle(.cannotSend("\(error)")) }
        }
    }

    // MARK: At home

    private func watch(_ isOn: Bool) {
        guard isOn != isWatching else { return }
        isWatching = isOn
        desk.seek(isOn)
    }

    private func adopt(_ device: CloudDevice, _ sighting: LANSighting?) {
        guard let key = device.localKey else { return }
        adopted = VendorID(device.id)
        let paired = PairedDevice(device, key: key)
        later { run in
            // Told once more, since it may have been reached before anyone listened.
            if let status = run.desk.adopt(paired, at: sighting?.source) { run.handle(.link(status)) }
            run.desk.completeSchema(of: device.id)
        }
    }

    private func tell(_ progress: PairingProgress) {
        guard progress.state != .running, progress.state != .needsInput else {
            return desk.host.pairingProgressed(progress)
        }
        // The end is told when the radio is home, so that whoever hears it may use the network.
        let leaving = leaving
        let host = desk.host
        ending = Task { @Loop [self] in
            await leaving?.value
            guard !Task.isCancelled else { return }
            host.pairingProgressed(progress)
            ended()
        }
    }
}
