package import HomeModel
package import Hub
package import JSON
internal import Log

extension Registry: HouseStore {
    package func load() throws(CommandError) -> StoredHouse {
        do throws(RegistryError) {
            return try withDatabase { database throws(RegistryError) in
                let secrets = try SecretTable.all(database.connection, database.sealer, notify: notify)
                var house = StoredHouse()
                house.homes = try HomeTable.all(database.connection)
                house.devices = try DeviceTable.all(database.connection, notify: notify)
                house.openPairings = try PairingTable.open(database.connection)
                house.reserved = try DeviceTable.reserved(database.connection)
                for index in house.devices.indices {
                    house.devices[index].secrets = secrets[.device(house.devices[index].record.id)] ?? Secrets()
                }
                for (owner, values) in secrets {
                    if case .plugin(let plugin) = owner { house.pluginSecrets[plugin] = values }
                }
                return house
            }
        } catch {
            throw error.commandError
        }
    }

    package func commit(_ changes: [HouseChange]) throws(CommandError) {
        do throws(RegistryError) {
            try withDatabase { database throws(RegistryError) in
                try database.connection.transaction(.powerLoss) { () throws(RegistryError) in
                    for change in changes { try Self.carryOut(change, database) }
                }
            }
        } catch {
            throw error.commandError
        }
        // Else the state of a removed device could become that of one that is added under its id.
        for case .removeDevice(let device) in changes { notes.withLock { $0.forget(device) } }
    }

    package nonisolated func note(_ note: HouseNote) { take(note) }

    package func flush() { writeNotes() }

    package func provenance(of device: DeviceID, limit: Int) throws(CommandError) -> [CommandTrace] {
        let waiting = notes.withLock { $0.commands.filter { $0.device == device } }
        let newest = Array(waiting.reversed().prefix(max(limit, 0)))
        do throws(RegistryError) {
            return try withDatabase { database throws(RegistryError) in
                let rest = min(max(limit, 0), Int(NoteTable.ringLength)) - newest.count
                guard rest > 0 else { return newest }
                return try newest + NoteTable.provenance(of: device, limit: rest, in: database.connection)
            }
        } catch {
            throw error.commandError
        }
    }

    package func pairings(limit: Int) throws(CommandError) -> [PairingRecord] {
        do throws(RegistryError) {
            return try withDatabase { database throws(RegistryError) in
                try PairingTable.newest(max(limit, 0), database.connection)
            }
        } catch {
            throw error.commandError
        }
    }

    package func value(plugin: PluginID, key: String) throws(CommandError) -> JSON? {
        do throws(RegistryError) {
            return try withDatabase { database throws(RegistryError) in
                try PluginValueTable.value(plugin: plugin, key: key, database.connection)
            }
        } catch {
            throw error.commandError
        }
    }

    private static func carryOut(_ change: HouseChange, _ database: borrowing Database) throws(RegistryError) {
        switch change {
        case .putHome(let id, let name): try HomeTable.put(id, name: name, database.connection)
        case .removeHome(let id): try HomeTable.remove(id, database.connection)
        case .putRoom(let room, let home): try HomeTable.put(room, home: home, database.connection)
        case .removeRoom(let id): try HomeTable.remove(id, database.connection)
        case .putDevice(let record): try DeviceTable.put(record, database.connection)
        case .removeDevice(let id):
            try DeviceTable.remove(id, database.connection)
            try SecretTable.remove(.device(id), database.connection)
        case .putSecrets(let secrets, let device):
            try DeviceTable.check(device, database.connection)
            try SecretTable.put(secrets, owner: .device(device), database.connection, database.sealer)
        case .putPluginSecrets(let secrets, let plugin):
            try SecretTable.put(secrets, owner: .plugin(plugin), database.connection, database.sealer)
        case .putPairing(let record): try PairingTable.put(record, database.connection)
        case .putValue(let value, let plugin, let key):
            try PluginValueTable.put(value, plugin: plugin, key: key, database.connection)
        }
    }
}
