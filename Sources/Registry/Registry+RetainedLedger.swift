package import HomeModel
package import Hub

extension Registry: RetainedLedger {
    package func topics() throws(CommandError) -> [LedgerEntry] {
        do throws(RegistryError) {
            return try withDatabase { database throws(RegistryError) in
                try database.connection.all("SELECT topic, owner FROM ledger") { row throws(RegistryError) in
                    LedgerEntry(topic: row.text(0), owner: row.text(1))
                }
            }
        } catch {
            throw error.commandError
        }
    }

    package func add(_ entries: [LedgerEntry]) throws(CommandError) {
        try changeLedger { connection throws(RegistryError) in
            for entry in entries {
                try connection.run(
                    "INSERT OR REPLACE INTO ledger (topic, owner) VALUES (?, ?)",
                    .text(entry.topic),
                    .text(entry.owner)
                )
            }
        }
    }

    package func remove(_ topics: [String]) throws(CommandError) {
        try changeLedger { connection throws(RegistryError) in
            for topic in topics { try connection.run("DELETE FROM ledger WHERE topic = ?", .text(topic)) }
        }
    }

    private func changeLedger(
        _ change: (borrowing Connection) throws(RegistryError) -> Void
    ) throws(CommandError) {
        do throws(RegistryError) {
            try withDatabase { database throws(RegistryError) in
                try database.connection.transaction(.powerLoss) { () throws(RegistryError) in
                    try change(database.connection)
                }
            }
        } catch {
            throw error.commandError
        }
    }
}
