internal import HomeModel
internal import Hub
internal import JSON

/// `pairings`: the sessions that are open, and the newest of those that have ended.
enum PairingTable {
    /// The most sessions kept.
    static let length: Int64 = 200

    /// Adds or replaces a session, by its id, and lets the oldest ones go.
    static func put(_ record: PairingRecord, _ connection: borrowing Connection) throws(RegistryError) {
        let failure = record.failure
        try connection.run(
            """
            INSERT INTO pairings (session, plugin, method, home, room, name, started_at, ended_at, state, step,
                code, vendor_code, message, hint, failed_step, retry_from, devices)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (session) DO UPDATE SET ended_at = excluded.ended_at, state = excluded.state,
                step = excluded.step, code = excluded.code, vendor_code = excluded.vendor_code,
                message = excluded.message, hint = excluded.hint, failed_step = excluded.failed_step,
                retry_from = excluded.retry_from, devices = excluded.devices
            """,
            .text(record.session.text),
            .text(record.plugin.text),
            .text(record.method),
            .optional(record.home?.text),
            .optional(record.room?.text),
            .optional(record.name),
            .integer(record.startedAt.milliseconds),
            record.endedAt.map { .integer($0.milliseconds) } ?? .null,
            .text(record.state),
            .optional(record.step),
            .optional(failure?.code.rawValue),
            .optional(failure?.vendorCode),
            .optional(failure?.message),
            .optional(failure?.hint),
            .optional(failure?.step),
            .optional(failure?.retryFrom),
            .text(JSON.array(record.devices.map { .string($0.text) }).text)
        )
        try connection.run(
            """
            DELETE FROM pairings WHERE ended_at IS NOT NULL AND number <= (
                SELECT number FROM pairings ORDER BY number DESC LIMIT 1 OFFSET ?
            )
            """,
            .integer(length)
        )
    }

    /// The newest sessions, newest first.
    static func newest(_ limit: Int, _ connection: borrowing Connection) throws(RegistryError) -> [PairingRecord] {
        try connection.all("SELECT \(columns) FROM pairings ORDER BY number DESC LIMIT ?", .integer(Int64(limit))) {
            row throws(RegistryError) in record(row)
        }
        .compactMap(\.self)
    }

    /// The sessions that have not ended, oldest first.
    static func open(_ connection: borrowing Connection) throws(RegistryError) -> [PairingRecord] {
        try connection.all("SELECT \(columns) FROM pairings WHERE ended_at IS NULL ORDER BY number") {
            row throws(RegistryError) in record(row)
        }
        .compactMap(\.self)
    }

    private static let columns = """
        session, plugin, method, home, room, name, started_at, ended_at, state, step,
        code, vendor_code, message, hint, failed_step, retry_from, devices
        """

    private static func record(_ row: borrowing Row) -> PairingRecord? {
        guard let session = PairingID(row.text(0)), let plugin = PluginID(row.text(1)) else { return nil }
        let devices = (try? JSON.parse(row.bytes(16)))?.arrayValue ?? []
        return PairingRecord(
            session: session,
            plugin: plugin,
            method: row.text(2),
            home: row.optionalText(3).flatMap { HomeID($0) },
            room: row.optionalText(4).flatMap { RoomID($0) },
            name: row.optionalText(5),
            startedAt: Timestamp(milliseconds: row.integer(6)),
            endedAt: row.isNull(7) ? nil : Timestamp(milliseconds: row.integer(7)),
            state: row.text(8),
            step: row.optionalText(9),
            failure: row.optionalText(10).map { code in
                PairingFailure(
                    PairingCode(rawValue: code),
                    row.text(12),
                    hint: row.optionalText(13),
                    vendorCode: row.optionalText(11),
                    step: row.optionalText(14),
                    retryFrom: row.optionalText(15)
                )
            },
            devices: devices.compactMap { $0.stringValue.flatMap { DeviceID($0) } }
        )
    }
}
