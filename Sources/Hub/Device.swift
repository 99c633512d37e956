package import EventLoop
package import HomeModel
package import JSON

/// A device in the hub's directory: what it is, what it last said and whether it can be reached.
@Loop
package final class Device {
    /// Where the present state comes from.
    package enum StateSource: String, Sendable {
        /// The device said it.
        case reported
        /// We sent it and the device has not said it yet.
        case assumed
        /// From the store; the device has not spoken since the start.
        case restored
    }

    /// Everything but the state.
    package internal(set) var record: DeviceRecord
    /// Changes of ``record`` on their way to the store, oldest first.
    private(set) var pendingChanges: [RecordChange] = []
    /// The whole merged state by property.
    package internal(set) var state: JSONObject
    /// Where ``state`` comes from.
    package internal(set) var source: StateSource
    /// When the device last confirmed a part of ``state``.
    package internal(set) var confirmedAt: Timestamp?
    /// Whether it can be reached, and why not.
    package internal(set) var connectivity: Connectivity
    /// Since when ``connectivity`` is as it is.
    package internal(set) var connectivitySince: Timestamp
    /// When anything was last heard of it.
    package internal(set) var lastSeen: Timestamp?
    /// Secrets to give to its plugin.
    var secrets: Secrets
    /// Commands under way and waiting.
    var lane = CommandLane<PendingCommand>()
    /// Commands that the device acknowledged and has not confirmed.
    var unconfirmed: [Confirmation] = []

    init(stored: StoredDevice, connectivity: Connectivity, since: Timestamp) {
        record = stored.record
        state = stored.state
        source = .restored
        confirmedAt = stored.stateAt
        secrets = stored.secrets
        self.connectivity = connectivity
        connectivitySince = since
    }

    /// A change of a record that somebody asked for.
    final class RecordChange {
        let apply: @Loop (inout DeviceRecord) -> Void

        init(_ apply: @escaping @Loop (inout DeviceRecord) -> Void) { self.apply = apply }
    }

    /// What ``record`` will be when all that is on its way has arrived; the store gets whole records, so that each one
    /// must carry the changes before it.
    var upcomingRecord: DeviceRecord { pendingChanges.reduce(into: record) { $1.apply(&$0) } }

    /// Notes a change that goes to the store now.
    func begin(_ change: RecordChange) { pendingChanges.append(change) }

    /// Takes a change out that has arrived, or never will.
    func end(_ change: RecordChange) { pendingChanges.removeAll { $0 === change } }

    /// Its id in topics and requests.
    package var id: DeviceID { record.id }
    /// What a plugin says of it.
    package var description: DeviceDescription { record.description }
}

extension Device {
    /// A line of the index: `{"id","name","plugin","model","home","room","online"}`.
    package var summary: JSONObject {
        var object: JSONObject = ["id": .string(id.text), "name": .string(record.name)]
        object["plugin"] = .string(record.plugin.text)
        object["kind"] = .string(description.kind.rawValue)
        if let model = description.model { object["model"] = .string(model) }
        if let home = record.home { object["home"] = .string(home.text) }
        if let room = record.room { object["room"] = .string(room.text) }
        object["online"] = .bool(connectivity.isOnline)
        if let reason = connectivity.reason { object["reason"] = .string(reason.rawValue) }
        return object
    }

    /// Everything about it but its state and secrets.
    package var details: JSONObject {
        var object = summary
        object["vendor_id"] = .string(record.vendorID.text)
        if let manufacturer = description.manufacturer { object["manufacturer"] = .string(manufacturer) }
        if let modelID = description.modelID { object["model_id"] = .string(modelID) }
        if let firmware = description.firmware { object["firmware"] = .string(firmware) }
        if let mac = description.mac { object["mac"] = .string(mac) }
        if description.isBatteryPowered { object["battery"] = true }
        object["since"] = .string(connectivitySince.description)
        if let detail = connectivity.detail { object["detail"] = .string(detail) }
        object["created_at"] = .string(record.createdAt.description)
        if !record.options.isEmpty { object["options"] = .object(record.options) }
        return description.addingMembers(to: object)
    }

    /// The whole state with its origin: `{…,"_meta":{"source","confirmed_at"?}}`.
    package var stateJSON: JSONObject {
        var meta: JSONObject = ["source": .string(source.rawValue)]
        if let confirmedAt { meta["confirmed_at"] = .string(confirmedAt.description) }
        return state.adding("_meta", .object(meta))
    }

    /// The bytes of ``stateJSON``, written without building it.
    package var statePayload: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        for (key, value) in state {
            writer.key(key)
            writer.value(value)
        }
        writer.key("_meta")
        writer.beginObject()
        writer.key("source")
        writer.string(source.rawValue)
        if let confirmedAt {
            writer.key("confirmed_at")
            writer.string(confirmedAt.description)
        }
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }
}
