internal import HomeModel
internal import Hub
internal import JSON

/// `last_state` and `provenance`: what is noted often and written in batches.
enum NoteTable {
    /// The most commands kept of a device.
    static let ringLength: Int64 = 200

    /// Writes notes in one transaction; commands to devices that are not there are dropped.
    ///
    /// - Returns: the states whose device is not there.
    static func write(
        _ notes: NoteBuffer,
        to connection: borrowing Connection
    ) throws(RegistryError) -> [DeviceID: NoteBuffer.State] {
        try connection.transaction(.processKill) { () throws(RegistryError) in
            var missed: [DeviceID: NoteBuffer.State] = [:]
            for (device, state) in notes.states {
                try connection.run(
                    """
                    INSERT INTO last_state (device, state, at)
                    SELECT number, ?2, ?3 FROM devices JOIN identities USING (number) WHERE id = ?1
                    ON CONFLICT (device) DO UPDATE SET state = excluded.state, at = excluded.at
                    """,
                    .text(device.text),
                    .text(JSON.object(state.state).text),
                    .integer(state.at.milliseconds)
                )
                if connection.changedRows == 0 { missed[device] = state }
            }
            var touched: Set<DeviceID> = []
            for command in notes.commands {
                try insert(command, connection)
                touched.insert(command.device)
            }
            for device in touched { try trim(device, connection) }
            return missed
        }
    }

    /// The newest commands of a device, newest first.
    static func provenance(
        of device: DeviceID,
        limit: Int,
        in connection: borrowing Connection
    ) throws(RegistryError) -> [CommandTrace] {
        try connection.all(
            """
            SELECT at, source, request, outcome FROM provenance
            WHERE device = (SELECT number FROM identities WHERE id = ?) ORDER BY number DESC LIMIT ?
            """,
            .text(device.text),
            .integer(Int64(limit))
        ) { row throws(RegistryError) in
            CommandTrace(
                device: device,
                at: Timestamp(milliseconds: row.integer(0)),
                source: row.text(1),
                request: (try? JSON.parse(row.bytes(2))) ?? .null,
                outcome: row.text(3)
            )
        }
    }

    private static func insert(
        _ command: CommandTrace,
        _ connection: borrowing Connection
    ) throws(RegistryError) {
        try connection.run(
            """
            INSERT INTO provenance (device, at, source, request, outcome)
            SELECT number, ?2, ?3, ?4, ?5 FROM devices JOIN identities USING (number) WHERE id = ?1
            """,
            .text(command.device.text),
            .integer(command.at.milliseconds),
            .text(command.source),
            .text(command.request.text),
            .text(command.outcome)
        )
    }

    private static func trim(_ device: DeviceID, _ connection: borrowing Connection) throws(RegistryError) {
        try connection.run(
            """
            DELETE FROM provenance WHERE device = (SELECT number FROM identities WHERE id = ?1) AND number <= (
                SELECT number FROM provenance WHERE device = (SELECT number FROM identities WHERE id = ?1)
                ORDER BY number DESC LIMIT 1 OFFSET ?2
            )
            """,
            .text(device.text),
            .integer(ringLength)
        )
    }
}
