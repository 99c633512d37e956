/// Brings a database to the newest schema, step by step.
struct Migrator {
    /// Marks a database as ours, in SQLite's `application_id`: "Lntl".
    static let applicationID: Int64 = 0x4c6e_746c

    let migrations: [Migration]

    /// The schema's number in a database; 0 for an empty one.
    ///
    /// Reads only.
    ///
    /// - Throws: ``RegistryError/newerSchema(found:supported:path:)``, ``RegistryError/foreign(path:)``.
    func check(_ connection: borrowing Connection) throws(RegistryError) -> Int {
        let found = try number("PRAGMA user_version", connection)
        let application = try number("PRAGMA application_id", connection)
        let tables = try number("SELECT count(*) FROM sqlite_schema", connection)
        guard application == Self.applicationID || (application == 0 && found == 0 && tables == 0) else {
            throw .foreign(path: connection.path)
        }
        let supported = migrations.last?.number ?? 0
        guard found <= supported else {
            throw .newerSchema(found: Int(found), supported: supported, path: connection.path)
        }
        return Int(found)
    }

    /// Runs the steps above `current`, each in its own transaction after a copy of what was there.
    func run(_ connection: borrowing Connection, from current: Int) throws(RegistryError) {
        for migration in migrations where migration.number > current {
            // What this call has just made holds nothing to copy.
            let snapshot = current == 0 ? nil : try Snapshots.make(of: connection, before: migration.number)
            do {
                try connection.transaction(.powerLoss) { () throws(RegistryError) in
                    if migration.number == 1 { try connection.execute("PRAGMA application_id = \(Self.applicationID)") }
                    try connection.execute(migration.sql)
                    try connection.execute("PRAGMA user_version = \(migration.number)")
                }
            } catch .sqlite(_, let message) {
                throw .migrationFailed(number: migration.number, detail: message, snapshot: snapshot)
            }
        }
    }

    private func number(_ sql: String, _ connection: borrowing Connection) throws(RegistryError) -> Int64 {
        try connection.first(sql) { row throws(RegistryError) in row.integer(0) } ?? 0
    }
}
