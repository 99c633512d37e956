import DeviceInterface
import EventLoop
import HomeModel
package import JSON

extension Hub {
    func addDeviceRequests() {
        requests.add("devices/list") { [unowned self] in try list($0) }
        requests.add("device/get", primary: "id") { [unowned self] in
            let device = try device($0)
            return device.details.adding("state", .object(device.stateJSON))
        }
        requests.add("device/rename") { [unowned self] in try await rename($0) }
        requests.add("device/move") { [unowned self] in try await move($0) }
        requests.add("device/options") { [unowned self] in try await setOptions($0) }
        requests.add("device/remove", primary: "id") { [unowned self] in try await remove($0) }
        requests.add("device/history", primary: "id") { [unowned self] in try await history($0) }
    }

    private func device(_ arguments: RequestArguments) throws(CommandError) -> Device {
        let text = try arguments.string("id")
        guard let id = DeviceID(text), let device = directory[id] else { throw .unknownDevice(text) }
        return device
    }

    private func list(_ arguments: RequestArguments) throws(CommandError) -> JSONObject {
        let offset = try arguments.integer("offset", in: 0...1_000_000, default: 0)
        let limit = try arguments.integer("limit", in: 1...500, default: 50)
        let all = devices
        let page = all.dropFirst(offset).prefix(limit)
        return [
            "total": .integer(Int64(all.count)), "offset": .integer(Int64(offset)),
            "returned": .integer(Int64(page.count)), "has_more": .bool(offset + page.count < all.count),
            "devices": .array(page.map { .object($0.summary) }),
        ]
    }

    private func rename(_ arguments: RequestArguments) async throws(CommandError) -> JSONObject {
        let device = try device(arguments)
        let text = try arguments.string("name")
        guard let name = DeviceName.cleaned(text) else {
            throw CommandError(
                .badRequest,
                "A name has 1 to \(DeviceName.maxCharacters) characters, none of them a control character."
            )
        }
        let before = device.record.name
        try await update(device) { $0.chosenName = name }
        if before != name {
            tell(.deviceRenamed, ["id": .string(device.id.text), "from": .string(before), "to": .string(name)])
        }
        return ["id": .string(device.id.text), "name": .string(name)]
    }

    private func move(_ arguments: RequestArguments) async throws(CommandError) -> JSONObject {
        let device = try device(arguments)
        let roomText = try arguments.optionalString("room")
        let homeText = try arguments.optionalString("home")
        guard roomText != nil || homeText != nil || arguments["room"]?.isNull == true else {
            throw CommandError(
                .badRequest,
                "The request needs \"room\" or \"home\".",
                hint: "\"room\": null takes it out."
            )
        }
        var home = device.record.home
        var room: RoomID?
        if let homeText { home = try self.home(homeText).id }
        if let roomText {
            let found = try self.room(roomText)
            guard homeText == nil || found.home == home else {
                throw CommandError(.conflict, "The room \(roomText) is in another home.")
            }
            (home, room) = (found.home, found.room.id)
        }
        try await update(device) {
            $0.home = home
            $0.room = room
        }
        tell(.deviceMoved, device.summary)
        return device.summary
    }

    private func setOptions(_ arguments: RequestArguments) async throws(CommandError) -> JSONObject {
        let device = try device(arguments)
        var options = device.record.options
        for (key, value) in try arguments.object("options") { options[key] = value.isNull ? nil : value }
        var needsRestart = true
        if let adapter = plugins?.adapter(for: device.record.plugin) {
            let result = try await adapter.configure(.init(device: device.record.vendorID, options: options))
            needsRestart = result.needsRestart
        }
        let checked = options
        try await update(device) { $0.options = checked }
        return [
            "id": .string(device.id.text), "options": .object(checked), "restart_required": .bool(needsRestart),
        ]
    }

    private func remove(_ arguments: RequestArguments) async throws(CommandError) -> JSONObject {
        let device = try device(arguments)
        let unpair = try arguments.flag("unpair")
        let isForced = try arguments.flag("force")
        if let adapter = plugins?.adapter(for: device.record.plugin) {
            try await adapter.remove(device.record.vendorID, unpair: unpair)
        } else if unpair || !isForced {
            throw CommandError(
                .pluginDown,
                "The plugin \(device.record.plugin.text) is not running, so it cannot let the device go.",
                hint: "Give \"force\": true to forget the device all the same."
            )
        }
        let failure = await withCheckedContinuation { continuation in
            forget(device) { continuation.resume(returning: $0) }
        }
        if let failure { throw failure }
        return ["id": .string(device.id.text)]
    }

    private func history(_ arguments: RequestArguments) async throws(CommandError) -> JSONObject {
        let device = try device(arguments)
        let limit = try arguments.integer("limit", in: 1...200, default: 20)
        await store.flush()
        let traces = try await store.provenance(of: device.id, limit: limit)
        return ["id": .string(device.id.text), "commands": .array(traces.map(\.json))]
    }
}

extension CommandTrace {
    /// `{"at","source","request","outcome"}`.
    var json: JSON {
        [
            "at": .string(at.description), "source": .string(source), "request": request, "outcome": .string(outcome),
        ]
    }
}

extension JSONObject {
    /// This object with one more member.
    package func adding(_ key: String, _ value: JSON) -> JSONObject {
        var object = self
        object[key] = value
        return object
    }
}
