extension Migration {
    /// All steps, in order.
    package static let all = [Migration(1, house), Migration(2, pairings)]

    /// Homes, devices and what belongs to them.
    ///
    /// `identities` holds every device there ever was, so that an id is never given to another one; `devices` only those
    /// that are there. Tables that are read in order of creation have a `number`.
    private static let house = """
        CREATE TABLE meta (
            key TEXT NOT NULL PRIMARY KEY,
            value ANY NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE homes (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL
        ) STRICT;

        CREATE TABLE rooms (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            home TEXT NOT NULL REFERENCES homes(id) ON DELETE CASCADE,
            name TEXT NOT NULL
        ) STRICT;
        CREATE INDEX rooms_by_home ON rooms(home);

        CREATE TABLE identities (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            plugin TEXT NOT NULL,
            vendor_id TEXT NOT NULL,
            UNIQUE (plugin, vendor_id)
        ) STRICT;

        CREATE TABLE devices (
            number INTEGER PRIMARY KEY REFERENCES identities(number),
            name TEXT,
            home TEXT REFERENCES homes(id) ON DELETE SET NULL,
            room TEXT REFERENCES rooms(id) ON DELETE SET NULL,
            description TEXT NOT NULL,
            options TEXT NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX devices_by_home ON devices(home);
        CREATE INDEX devices_by_room ON devices(room);

        CREATE TABLE last_state (
            device INTEGER PRIMARY KEY REFERENCES devices(number) ON DELETE CASCADE,
            state TEXT NOT NULL,
            at INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE provenance (
            number INTEGER PRIMARY KEY,
            device INTEGER NOT NULL REFERENCES devices(number) ON DELETE CASCADE,
            at INTEGER NOT NULL,
            source TEXT NOT NULL,
            request TEXT NOT NULL,
            outcome TEXT NOT NULL
        ) STRICT;
        CREATE INDEX provenance_by_device ON provenance(device, number);

        CREATE TABLE secrets (
            owner TEXT NOT NULL,
            name TEXT NOT NULL,
            sealed BLOB NOT NULL,
            PRIMARY KEY (owner, name)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE plugin_values (
            plugin TEXT NOT NULL,
            key TEXT NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (plugin, key)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE ledger (
            topic TEXT NOT NULL PRIMARY KEY,
            owner TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// Pairing sessions, open and ended.
    ///
    /// `home`, `room` and `devices` are ids as they were then, without references: what they name may be gone. The failure
    /// of an open session is the one that it has after a kill.
    private static let pairings = """
        CREATE TABLE pairings (
            number INTEGER PRIMARY KEY,
            session TEXT NOT NULL UNIQUE,
            plugin TEXT NOT NULL,
            method TEXT NOT NULL,
            home TEXT,
            room TEXT,
            name TEXT,
            started_at INTEGER NOT NULL,
            ended_at INTEGER,
            state TEXT NOT NULL,
            step TEXT,
            code TEXT,
            vendor_code TEXT,
            message TEXT,
            hint TEXT,
            failed_step TEXT,
            retry_from TEXT,
            devices TEXT NOT NULL
        ) STRICT;
        """
}
