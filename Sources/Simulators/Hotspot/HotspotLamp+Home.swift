import EventLoop
internal import JSON
internal import TuyaProtocol

extension HotspotLamp {
    // MARK: Joining

    /// Joins after the time that it takes; a device that is in the home already goes on at once.
    func join(_ credentials: HotspotCredentials) {
        let outcome = plan.outcome(of: credentials)
        guard !isInHome else { return joined(outcome) }
        guard outcome != .silent else {
            phase = .lost
            return tell(.joined(.silent))
        }
        step = LoopTimer(after: plan.joinTime) { [weak self] in self?.joined(outcome) }
    }

    private func joined(_ outcome: JoinOutcome) {
        step = nil
        tell(.joined(outcome))
        switch outcome {
        case .joins, .cloudRefuses, .cloudUnreachable:
            isInHome = true
            guard plan.habit == .apPlus || plan.securityLevel == 0 else { return waitInHome() }
            activate()
        case .wrongPassword, .notFound, .noLease:
            responder.lastFailure = outcome.deviceCode
            guard let delay = plan.returnsAfter else {
                // The vendor's SDK goes on trying for ever, and nobody notices.
                phase = .lost
                return tell(.failed("\(outcome.rawValue), tries for ever"))
            }
            reopen(after: delay)
        case .silent: phase = .lost
        }
    }

    /// Shows itself on the LAN without an id until it is told to go on.
    ///
    /// - Source: tuya.md section 7.6.
    private func waitInHome() {
        phase = .joined
        let source = try? UDPSocket(bind: plan.lanAddress.with(port: 0), broadcast: true)
        let target = plan.beacons.target.with(port: plan.beacons.ports.encrypted)
        let fields: JSONObject = [
            "ip": .string(plan.lanAddress.ip), "gwId": .string(plan.uuid), "uuid": .string(plan.uuid), "active": 0,
            "ablilty": 0, "encrypt": true, "productKey": .string(plan.product.productKey),
            "version": .string(plan.version.text), "sl": JSON(plan.securityLevel),
        ]
        let bytes = try? DiscoveryEncoder().announcement(version: plan.version, fields: fields)
        idleAnnouncements = LoopTimer(after: .zero, every: plan.beacons.interval) {
            if let bytes { try? source?.send(bytes, to: target) }
        }
        if let delay = plan.confirmsAfter {
            step = LoopTimer(after: delay) { [weak self] in self?.confirm() }
        }
        tell(.request("waits in the home's network"))
    }

    private func reopen(after delay: Duration) {
        step = LoopTimer(after: delay) { [weak self] in
            guard let self else { return }
            step = nil
            do { try openHotspot() } catch { tell(.failed("\(error)")) }
        }
    }

    // MARK: Activation

    func activate() {
        phase = .activating
        let token = credentials?.token ?? ""
        let request =
            CloudActivation(token: token, uuid: plan.uuid, product: plan.product.productKey)
            ?? CloudActivation(region: "", token: token, secret: "", uuid: plan.uuid, product: plan.product.productKey)
        let scripted = plan.outcome(of: credentials ?? HotspotCredentials(ssid: "", password: "", token: ""))
        step = LoopTimer(after: plan.activationTime) { [weak self] in
            self?.step = nil
            self?.ask(request, scripted)
        }
    }

    private func ask(_ request: CloudActivation, _ scripted: JoinOutcome) {
        switch scripted {
        case .cloudRefuses: refused("the script", .cloudRefuses)
        case .cloudUnreachable: refused("the script", .cloudUnreachable)
        default:
            let activation = activation
            task = Task { [weak self] in
                let result = await activation.activate(request)
                guard !Task.isCancelled, let self, phase == .activating else { return }
                task = nil
                switch result {
                case .success(let device): enterLAN(device)
                case .failure(.refused(let reason)): refused(reason, .cloudRefuses)
                case .failure(.unreachable(let reason)): refused(reason, .cloudUnreachable)
                }
            }
        }
    }

    /// The hotspot comes back while the device stays in the home's network.
    private func refused(_ reason: String, _ outcome: JoinOutcome) {
        responder.lastFailure = outcome.deviceCode
        tell(.refused(reason))
        reopen(after: plan.refusalReturn)
    }

    // MARK: The LAN

    private func enterLAN(_ device: CloudActivation.Result) {
        responder.lastFailure = 0
        tell(.activated(id: device.deviceID))
        let identity = LampIdentity(
            id: device.deviceID,
            uuid: plan.uuid,
            localKey: device.localKey,
            version: plan.version,
            address: plan.lanAddress,
            name: device.name.isEmpty ? plan.name : device.name
        )
        let lamp = TuyaLamp(identity, plan.product)
        lamp.habits.announcesItself = plan.announcesItself
        lamp.onEvent = onLampEvent
        do {
            try lamp.start()
            let announcer = try LampAnnouncer(plan.beacons)
            try announcer.start([lamp])
            announcer.announce(lamp)
            self.announcer = announcer
            self.lamp = lamp
            phase = .onLAN
            tell(.onLAN(lamp.identity.address))
        } catch {
            lamp.stop()
            phase = .lost
            tell(.failed("\(error)"))
        }
    }

    /// Ends what goes on outside the hotspot.
    func leaveHome() {
        step = nil
        task?.cancel()
        task = nil
        idleAnnouncements = nil
        announcer?.stop()
        announcer = nil
        lamp?.stop()
        lamp = nil
    }
}
