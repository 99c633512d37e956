import DeviceInterface
import EventLoop
import HomeModel
import JSON
import Log

extension Hub {
    /// Takes a description from a plugin; a device that is new gets its id for life.
    func describe(_ description: DeviceDescription, secrets: Secrets?, plugin: PluginID) {
        let description = shapes.sharing(description)
        if let device = desk(for: plugin).devices[description.vendorID] {
            redescribe(device, description, secrets: secrets)
        } else {
            add(description, secrets: secrets, plugin: plugin)
        }
    }

    private func add(_ description: DeviceDescription, secrets: Secrets?, plugin: PluginID) {
        guard directory.count < maxDevices else {
            log.error(
                "a new device was left out: there are as many as limits.devices allows",
                ["plugin": "\(plugin)", "limit": "\(maxDevices)"]
            )
            return
        }
        let now = clock()
        let id = newID(for: description.vendorID, plugin: plugin)
        let record = DeviceRecord(
            id: id,
            plugin: plugin,
            vendorID: description.vendorID,
            home: homes.count == 1 ? homes.first?.id : nil,
            description: description,
            createdAt: now
        )
        let device = Device(
            stored: StoredDevice(record: record, secrets: secrets ?? Secrets()),
            connectivity: Connectivity(isOnline: false, reason: .starting),
            since: now
        )
        device.state = description.completed(JSONObject())
        insert(device)
        var changes: [HouseChange] = [.putDevice(record)]
        if let secrets, !secrets.isEmpty { changes.append(.putSecrets(secrets, device: id)) }
        commits.submit(changes) { [self] failure in
            if let failure {
                log.error("a new device was not kept", ["device": "\(id)", "reason": "\(failure.message)"])
            }
            guard directory[id] === device else { return }
            tell { $0.deviceChanged(device) }
            tell(.deviceAdded, ["id": .string(id.text), "name": .string(device.record.name)])
        }
    }

    private func redescribe(_ device: Device, _ description: DeviceDescription, secrets: Secrets?) {
        var changes: [HouseChange] = []
        if let secrets, device.secrets.merging(secrets) != device.secrets {
            device.secrets = device.secrets.merging(secrets)
            changes.append(.putSecrets(secrets, device: device.id))
        }
        let isChanged = device.record.description != description
        if isChanged {
            device.record.description = description
            device.state = description.completed(device.state)
            changes.append(.putDevice(device.upcomingRecord))
        }
        guard !changes.isEmpty else { return }
        commits.submit(changes) { [self] failure in
            if let failure { log.error("a device's description was not kept", ["reason": "\(failure.message)"]) }
            guard isChanged, directory[device.id] === device else { return }
            tell { $0.deviceChanged(device) }
            tell { $0.stateChanged(device) }
        }
    }

    private func newID(for vendorID: VendorID, plugin: PluginID) -> DeviceID {
        if let index = reserved.firstIndex(where: { $0.plugin == plugin && $0.vendorID == vendorID }) {
            return reserved.remove(at: index).id
        }
        let taken = Set(reserved.map(\.id))
        return DeviceID.derived(
            from: vendorID.text,
            isTaken: { directory[$0] != nil || taken.contains($0) },
            digest: digest
        )
    }

    /// Takes a device out of the house, for good.
    func forget(_ device: Device, completion: @escaping @Loop (CommandError?) -> Void) {
        commits.submit([.removeDevice(device.id)]) { [self] failure in
            guard failure == nil, directory[device.id] === device else {
                completion(failure)
                return
            }
            directory[device.id] = nil
            desks[device.record.plugin]?.devices[device.record.vendorID] = nil
            reserved.append(
                ReservedID(id: device.id, plugin: device.record.plugin, vendorID: device.record.vendorID)
            )
            fail(device.lane.drain(), at: device, with: CommandError(.deviceNotFound, "The device was removed."))
            tell { $0.deviceRemoved(device.id) }
            tell(.deviceRemoved, ["id": .string(device.id.text), "name": .string(device.record.name)])
            completion(nil)
        }
    }

    /// Changes a device's record; on return it survives any kill.
    ///
    /// - Parameter apply: changes what a person can change; called several times.
    func update(_ device: Device, _ apply: @escaping @Loop (inout DeviceRecord) -> Void) async throws(CommandError) {
        let change = Device.RecordChange(apply)
        device.begin(change)
        let record = device.upcomingRecord
        guard record != device.record || device.pendingChanges.count > 1 else { return device.end(change) }
        let failure = await withCheckedContinuation { continuation in
            commits.submit([.putDevice(record)]) { [self] failure in
                // Here and not behind the continuation: what waits for it may be resumed in any order.
                device.end(change)
                arrived(change, of: device, failure)
                continuation.resume(returning: failure)
            }
        }
        if let failure { throw failure }
    }

    /// A change of a record is in the store, or will never be.
    private func arrived(_ change: Device.RecordChange, of device: Device, _ failure: CommandError?) {
        guard failure == nil else {
            // What was asked for after this carries it along; the store gets to know that it is not wanted.
            if !device.pendingChanges.isEmpty { commits.submit([.putDevice(device.upcomingRecord)]) { _ in } }
            return
        }
        // Other changes may have arrived in the meantime, so that this one is made on top of them.
        let before = device.record
        change.apply(&device.record)
        if device.record != before { tell { $0.deviceChanged(device) } }
    }

    /// Notes whether a device can be reached, and tells of it where that changed.
    func set(_ connectivity: Connectivity, of device: Device) {
        let now = clock()
        if connectivity.isOnline { device.lastSeen = now }
        guard device.connectivity != connectivity else { return }
        let before = device.connectivity
        device.connectivity = connectivity
        if before.isOnline != connectivity.isOnline || before.reason != connectivity.reason {
            device.connectivitySince = now
        }
        if connectivity.reason == .keyChanged, before.reason != .keyChanged {
            tell(.keyChanged, ["id": .string(device.id.text), "name": .string(device.record.name)])
        }
        tell { $0.connectivityChanged(device) }
    }
}

extension DeviceDescription {
    /// A state with a member for each property that is ever reported, `null` where its value is not known, and no others.
    func completed(_ state: JSONObject) -> JSONObject {
        var completed = JSONObject(reservingCapacity: properties.count)
        for property in properties where property.access != .writeOnly {
            completed[property.name] = state[property.name] ?? .null
        }
        return completed
    }
}
