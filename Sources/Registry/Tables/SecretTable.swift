internal import HomeModel

/// `secrets`, sealed.
enum SecretTable {
    static func put(
        _ secrets: Secrets,
        owner: SecretOwner,
        _ connection: borrowing Connection,
        _ sealer: SecretSealer
    ) throws(RegistryError) {
        for (name, value) in secrets.exposed {
            try connection.run(
                "INSERT OR REPLACE INTO secrets (owner, name, sealed) VALUES (?, ?, ?)",
                .text(owner.text),
                .text(name),
                .blob(try sealer.seal(value, owner: owner, name: name))
            )
        }
    }

    static func remove(_ owner: SecretOwner, _ connection: borrowing Connection) throws(RegistryError) {
        try connection.run("DELETE FROM secrets WHERE owner = ?", .text(owner.text))
    }

    /// All secrets by owner; one that does not open is left out and told.
    static func all(
        _ connection: borrowing Connection,
        _ sealer: SecretSealer,
        notify: (RegistryNotice) -> Void
    ) throws(RegistryError) -> [SecretOwner: Secrets] {
        var values: [SecretOwner: [String: String]] = [:]
        let rows = try connection.all("SELECT owner, name, sealed FROM secrets") { row throws(RegistryError) in
            (owner: row.text(0), name: row.text(1), sealed: row.bytes(2))
        }
        for row in rows {
            guard let owner = SecretOwner(row.owner), let value = sealer.open(row.sealed, owner: owner, name: row.name)
            else {
                notify(.secretUnreadable(owner: row.owner, name: row.name))
                continue
            }
            values[owner, default: [:]][row.name] = value
        }
        return values.mapValues { Secrets($0) }
    }
}
