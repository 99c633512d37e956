internal import HomeModel
internal import Hub
internal import JSON

/// `identities` and `devices`.
enum DeviceTable {
    /// Adds or replaces a device.
    ///
    /// - Throws: ``RegistryError/reserved(id:plugin:vendorID:)`` where the id belongs to another device, or the device to
    ///   another id; ``RegistryError/unknown(kind:id:)`` for its home or room.
    static func put(_ record: DeviceRecord, _ connection: borrowing Connection) throws(RegistryError) {
        let identity: [SQLValue] = [.text(record.id.text), .text(record.plugin.text), .text(record.vendorID.text)]
        try connection.run(
            "INSERT INTO identities (id, plugin, vendor_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            identity[0],
            identity[1],
            identity[2]
        )
        let number = try connection.first(
            "SELECT number FROM identities WHERE id = ? AND plugin = ? AND vendor_id = ?",
            identity[0],
            identity[1],
            identity[2]
        ) { row throws(RegistryError) in row.integer(0) }
        guard let number else {
            throw .reserved(id: record.id.text, plugin: record.plugin.text, vendorID: record.vendorID.text)
        }
        if let home = record.home { try HomeTable.check(home, connection) }
        if let room = record.room { try HomeTable.check(room, connection) }
        try connection.run(
            """
            INSERT INTO devices (number, name, home, room, description, options, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (number) DO UPDATE SET name = excluded.name, home = excluded.home, room = excluded.room,
                description = excluded.description, options = excluded.options, created_at = excluded.created_at
            """,
            .integer(number),
            .optional(record.chosenName),
            .optional(record.home?.text),
            .optional(record.room?.text),
            .text(record.description.json.text),
            .text(JSON.object(record.options).text),
            .integer(record.createdAt.milliseconds)
        )
    }

    /// Removes a device with its state and commands (ON DELETE in the schema); its identity stays.
    static func remove(_ device: DeviceID, _ connection: borrowing Connection) throws(RegistryError) {
        try connection.run(
            "DELETE FROM devices WHERE number = (SELECT number FROM identities WHERE id = ?)",
            .text(device.text)
        )
    }

    /// Throws where a device is not there.
    static func check(_ device: DeviceID, _ connection: borrowing Connection) throws(RegistryError) {
        let found = try connection.first(
            "SELECT 1 FROM devices JOIN identities USING (number) WHERE id = ?",
            .text(device.text)
        ) { _ in true }
        guard found == true else { throw .unknown(kind: "device", id: device.text) }
    }

    /// All devices in order of creation, each with its last state and without its secrets.
    static func all(
        _ connection: borrowing Connection,
        notify: (RegistryNotice) -> Void
    ) throws(RegistryError) -> [StoredDevice] {
        try connection.all(
            """
            SELECT id, plugin, vendor_id, name, home, room, description, options, created_at, state, at
            FROM devices JOIN identities USING (number) LEFT JOIN last_state ON device = number ORDER BY number
            """
        ) { row throws(RegistryError) in
            guard let id = DeviceID(row.text(0)), let plugin = PluginID(row.text(1)) else { return nil }
            let vendorID = VendorID(row.text(2))
            var record = DeviceRecord(
                id: id,
                plugin: plugin,
                vendorID: vendorID,
                description: description(row.bytes(6), vendorID: vendorID, device: id, notify),
                createdAt: Timestamp(milliseconds: row.integer(8))
            )
            record.chosenName = row.optionalText(3)
            record.home = row.optionalText(4).flatMap { HomeID($0) }
            record.room = row.optionalText(5).flatMap { RoomID($0) }
            record.options = object(row.bytes(7))
            guard !row.isNull(9) else { return StoredDevice(record: record) }
            let at = Timestamp(milliseconds: row.integer(10))
            return StoredDevice(record: record, state: object(row.bytes(9)), stateAt: at)
        }
        .compactMap(\.self)
    }

    /// Ids of devices that were removed, in order of creation.
    static func reserved(_ connection: borrowing Connection) throws(RegistryError) -> [ReservedID] {
        try connection.all(
            """
            SELECT id, plugin, vendor_id FROM identities
            WHERE number NOT IN (SELECT number FROM devices) ORDER BY number
            """
        ) { row throws(RegistryError) in
            guard let id = DeviceID(row.text(0)), let plugin = PluginID(row.text(1)) else { return nil }
            return ReservedID(id: id, plugin: plugin, vendorID: VendorID(row.text(2)))
        }
        .compactMap(\.self)
    }

    /// A description that an older or newer version wrote may not be readable; that must not hide the device.
    private static func description(
        _ bytes: [UInt8],
        vendorID: VendorID,
        device: DeviceID,
        _ notify: (RegistryNotice) -> Void
    ) -> DeviceDescription {
        let detail: String
        do {
            return try DeviceDescription(json: try JSON.parse(bytes))
        } catch let error as CommandError {
            detail = error.message
        } catch {
            detail = "\(error)"
        }
        notify(.descriptionUnreadable(device: device.text, detail: detail))
        return DeviceDescription(vendorID: vendorID, name: DeviceName.cleaned(vendorID.text) ?? device.text)
    }

    private static func object(_ bytes: [UInt8]) -> JSONObject {
        (try? JSON.parse(bytes))?.objectValue ?? JSONObject()
    }
}
