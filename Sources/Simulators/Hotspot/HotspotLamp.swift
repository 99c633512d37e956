package import EventLoop
internal import JSON
internal import TuyaProtocol

/// A simulated device as it comes out of its box: opens a hotspot, is told about the home's network, joins it, gets its id
/// and key from the cloud and is from then on a ``TuyaLamp`` on the LAN.
///
/// Made with ``start()`` and ended with ``stop()``; ``pressReset()`` makes it new again. A changed ``plan`` holds for what
/// begins after the change.
@Loop
package final class HotspotLamp {
    /// How far the device is.
    package enum Phase: Sendable, Equatable {
        case off
        case hotspot
        case joining
        /// In the home's network, without an id, waiting to be told to go on.
        case joined
        case activating
        case onLAN
        /// Without a hotspot and without a network, for ever.
        case lost
    }

    package var plan: HotspotPlan {
        didSet { responder.plan = plan }
    }
    package internal(set) var phase = Phase.off
    /// The device on the LAN, once it is paired.
    package internal(set) var lamp: TuyaLamp?
    /// What it was told the last time.
    package internal(set) var credentials: HotspotCredentials?
    /// The device's number for what failed the last time; 0 where nothing did.
    package var lastFailure: Int { responder.lastFailure }
    /// Called with everything that happens.
    package var onEvent: (@Loop (HotspotLamp, HotspotEvent) -> Void)?
    /// Called with each event of the device on the LAN.
    package var onLampEvent: (@Loop (TuyaLamp, LampEvent) -> Void)?

    let activation: HotspotActivation
    private let air: Air?
    var responder: HotspotResponder
    private var legacy: LegacyResponder
    private let encoder: DiscoveryEncoder
    private var door: HotspotDoor?
    package private(set) var isHotspotUp = false
    /// The network that is on the air now.
    private var network: AirNetwork?
    /// What arrived while a scan blocks the device.
    private var queue: [[UInt8]] = []
    private var scan: LoopTimer?
    /// The step that comes next.
    var step: LoopTimer?
    var task: Task<Void, Never>?
    var announcer: LampAnnouncer?
    var idleAnnouncements: LoopTimer?
    /// Whether the device is in the home's network while its hotspot is up.
    var isInHome = false
    private let waiters = LampWaiters<HotspotLamp>()

    /// A device that is switched off.
    ///
    /// - Parameters:
    ///   - activation: its way to the cloud.
    ///   - air: where its hotspot shows; nil for nowhere.
    package init(_ plan: HotspotPlan, activation: HotspotActivation, air: Air? = nil) throws {
        self.plan = plan
        self.activation = activation
        self.air = air
        responder = try HotspotResponder(plan)
        legacy = try LegacyResponder()
        encoder = try DiscoveryEncoder()
    }

    /// Where hubs connect in the hotspot; nil where they do not, or while it is down.
    package var channelAddress: SocketAddress? { door?.address }

    // MARK: What a person does

    /// Switches the device on, with nothing kept from before.
    package func start() throws {
        stop()
        responder.lastFailure = 0
        isInHome = false
        try openHotspot()
    }

    /// Switches it off.
    package func stop() {
        leaveHome()
        closeHotspot(vanishing: false)
        phase = .off
    }

    /// Makes the device new: off the LAN, back into its hotspot.
    package func pressReset() throws {
        try start()
    }

    /// Tells a device that waits in the home's network to go on, as a vendor's app does.
    package func confirm() {
        guard phase == .joined else { return }
        idleAnnouncements = nil
        activate()
    }

    // MARK: The hotspot

    func openHotspot() throws {
        queue = []
        scan = nil
        let door = try HotspotDoor(plan)
        self.door = door
        door.onEvent = { [weak self] event in self?.tell(event) }
        door.onBytes = { [weak self] bytes in self?.receive(bytes) }
        door.onDatagram = { [weak self] bytes in self?.receiveDatagram(bytes) }
        try door.open { [weak self] in self?.announcement() }
        phase = .hotspot
        isHotspotUp = true
        if let air {
            let network = AirNetwork(
                ssid: plan.ssid,
                interface: plan.stationInterface,
                address: plan.stationAddress,
                prefix: plan.stationPrefix,
                gateway: plan.address.ip
            )
            try air.put(network)
            self.network = network
        }
        tell(.hotspotUp)
    }

    func closeHotspot(vanishing: Bool) {
        guard let door else { return }
        if vanishing { door.vanish() } else { door.close() }
        if !vanishing { self.door = nil }
        scan = nil
        queue = []
        if let network { air?.remove(network) }
        network = nil
        guard isHotspotUp else { return }
        isHotspotUp = false
        tell(.hotspotDown)
    }

    private func announcement() -> [UInt8]? {
        switch plan.habit {
        case .apPlus where plan.pincode == nil:
            let body = [UInt8](responder.description.utf8)
            return try? encoder.datagram(.sealed, .hotspotAnnouncement, returnCode: 0, body: body)
        case .legacyTCP:
            let fields: JSONObject = [
                "ip": .string(plan.address.ip), "gwId": .string(plan.uuid), "active": 0, "ability": 0, "mode": 0,
                "encrypt": false, "productKey": .string(plan.product.productKey), "version": "3.1",
            ]
            return try? encoder.announcement(version: .v31, fields: fields)
        case .apPlus, .legacyUDP: return nil
        }
    }

    // MARK: Requests

    private func receive(_ bytes: [UInt8]) {
        guard phase == .hotspot, !plan.isSilent else { return tell(.request("unheard")) }
        guard scan == nil else { return queue.append(bytes) }
        if plan.habit == .legacyTCP {
            for reaction in legacy.reactions(to: bytes) { carryOut(reaction) }
        } else {
            carryOut(responder.reaction(to: bytes))
        }
    }

    private func receiveDatagram(_ bytes: [UInt8]) {
        guard phase == .hotspot, !plan.isSilent, let credentials = legacy.credentials(in: bytes) else {
            return tell(.request("unheard"))
        }
        leave(credentials)
    }

    private func carryOut(_ reaction: HotspotReaction) {
        guard phase == .hotspot else { return }
        switch reaction {
        case .silence(let reason): tell(.request("silence: \(reason)"))
        case .answer(let bytes):
            door?.send(bytes)
            tell(.request("answered"))
        case .scan(let answer):
            // Several requests of one segment: later ones wait for the scan, too.
            scan = LoopTimer(after: plan.scanTime) { [weak self] in self?.finishScan(answer) }
        case .leave(let credentials, let answer):
            if !plan.losesAnswer { door?.send(answer) }
            leave(credentials)
        }
    }

    private func finishScan(_ answer: [UInt8]) {
        scan = nil
        door?.send(answer)
        tell(.request("listed networks"))
        while scan == nil, !queue.isEmpty, phase == .hotspot { receive(queue.removeFirst()) }
    }

    /// Stores what it was told and closes the hotspot in the same moment.
    private func leave(_ credentials: HotspotCredentials) {
        self.credentials = credentials
        phase = .joining
        closeHotspot(vanishing: true)
        tell(.credentials(ssid: credentials.ssid, hasToken: !credentials.token.isEmpty))
        join(credentials)
    }

    // MARK: Telling

    func tell(_ event: HotspotEvent) {
        onEvent?(self, event)
        waiters.check(self)
    }

    /// Waits until `condition` holds, looked at after everything that happens to the device; returns early only where the
    /// task is cancelled.
    package func until(_ condition: @escaping @Loop (HotspotLamp) -> Bool) async {
        await waiters.wait(self, condition)
    }
}
