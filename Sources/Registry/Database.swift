internal import Crypto
import Glibc

/// An opened, checked and migrated database together with the lock on its directory.
struct Database: ~Copyable {
    let connection: Connection
    let sealer: SecretSealer
    /// Eight hexadecimal digits, made once; tells this installation from others.
    let installationID: String
    private let lock: DirectoryLock

    /// Opens `registry.db` in the data directory, or makes it.
    ///
    /// Nothing is written to an existing database before it has been found to be ours, whole and of a known schema.
    static func open(
        _ options: RegistryOptions,
        notify: (RegistryNotice) -> Void
    ) throws(RegistryError) -> Database {
        let directory = options.directory
        let path = directory + "/registry.db"
        try FileSystem.makeDirectory(directory)
        let lock = try DirectoryLock.take(directory)
        try checkHeader(path)
        let connection = try Connection(path: path)
        guard !connection.isReadOnly else { throw .readOnly(path: path) }
        connection.keepLogOnClose(true)
        let migrator = Migrator(migrations: options.migrations)
        let schema = try migrator.check(connection)
        if schema > 0, !lock.wasClean {
            try checkPages(connection)
            notify(.recovered(path: path))
        }
        connection.keepLogOnClose(false)

        try configure(connection, options)
        let newest = options.migrations.last?.number ?? 0
        if schema < newest {
            try migrator.run(connection, from: schema)
            notify(.migrated(from: schema, to: newest))
        }
        let sealer = try sealer(connection, options, notify)
        let id = try installationID(connection)
        return Database(connection: connection, sealer: sealer, installationID: id, lock: lock)
    }

    private init(
        connection: consuming Connection,
        sealer: SecretSealer,
        installationID: String,
        lock: consuming DirectoryLock
    ) {
        self.connection = connection
        self.sealer = sealer
        self.installationID = installationID
        self.lock = lock
    }

    /// Closes the database, which moves its log into it, then lets the next gateway in.
    consuming func close() {
        let lock = Self.closed(self)
        lock.release()
    }

    /// Takes the lock out and drops the rest.
    private static func closed(_ database: consuming Database) -> DirectoryLock { database.lock }

    /// Makes the file with our permissions where there is none; refuses one that SQLite would take for empty or foreign.
    private static func checkHeader(_ path: String) throws(RegistryError) {
        guard let file = try OpenFile(path, flags: O_RDWR | O_CREAT) else { throw .readOnly(path: path) }
        let header = try file.read(limit: 16)
        guard header.isEmpty || header == [UInt8]("SQLite format 3\0".utf8) else {
            let detail = "its first bytes are not those of an SQLite database"
            throw .corrupt(path: path, detail: detail, snapshots: Snapshots.list(of: path))
        }
    }

    /// Reads every page; some 10 ms for a registry of 1,000 devices.
    private static func checkPages(_ connection: borrowing Connection) throws(RegistryError) {
        let path = connection.path
        let faults = try connection.all("PRAGMA quick_check(3)") { row throws(RegistryError) in row.text(0) }
        guard faults == ["ok"] else {
            let detail = faults.joined(separator: "; ")
            throw .corrupt(path: path, detail: detail, snapshots: Snapshots.list(of: path))
        }
    }

    private static func configure(
        _ connection: borrowing Connection,
        _ options: RegistryOptions
    ) throws(RegistryError) {
        try connection.execute("PRAGMA journal_mode = WAL")
        // The log is cut back to this after a burst: an SD card is small.
        try connection.execute("PRAGMA journal_size_limit = 4194304")
        try connection.execute("PRAGMA foreign_keys = ON")
        try connection.execute("PRAGMA temp_store = MEMORY")
        if let pages = options.maxPages { try connection.execute("PRAGMA max_page_count = \(pages)") }
    }

    /// The sealer with the right key, which is made where no secret needs another one.
    private static func sealer(
        _ connection: borrowing Connection,
        _ options: RegistryOptions,
        _ notify: (RegistryNotice) -> Void
    ) throws(RegistryError) -> SecretSealer {
        let directory = options.directory
        let found = try KeyFile.find(directory: directory, credentials: options.credentialsDirectory, notify: notify)
        let proof = try meta("key_proof", connection)
        let secrets = try connection.first("SELECT count(*) FROM secrets") { row throws(RegistryError) in row.integer(0)
        }
        let isKeyNeeded = proof != nil && secrets != 0
        guard found != nil || !isKeyNeeded else { throw .keyMissing(path: KeyFile.path(in: directory)) }
        let file = if let found { found } else { try KeyFile.make(directory: directory) }
        let sealer = try SecretSealer(file.key)
        if let proof, sealer.open(proof, owner: .registry, name: "key_proof") != nil { return sealer }
        guard !isKeyNeeded else { throw .keyWrong(path: file.path) }
        let sealed = try sealer.seal("lintel", owner: .registry, name: "key_proof")
        try setMeta("key_proof", sealed, connection)
        if proof != nil { notify(.keyReplaced(path: file.path)) }
        return sealer
    }

    private static func installationID(_ connection: borrowing Connection) throws(RegistryError) -> String {
        if let id = try meta("installation", connection) { return String(decoding: id, as: UTF8.self) }
        let id: [UInt8]
        do { id = Hex.encodedBytes(try SecureRandom.bytes(4)) } catch { throw .crypto(detail: "\(error)") }
        try setMeta("installation", id, connection)
        return String(decoding: id, as: UTF8.self)
    }

    private static func meta(_ key: String, _ connection: borrowing Connection) throws(RegistryError) -> [UInt8]? {
        try connection.first("SELECT value FROM meta WHERE key = ?", .text(key)) { row throws(RegistryError) in
            row.bytes(0)
        }
    }

    private static func setMeta(
        _ key: String,
        _ value: [UInt8],
        _ connection: borrowing Connection
    ) throws(RegistryError) {
        try connection.transaction(.powerLoss) { () throws(RegistryError) in
            try connection.run("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", .text(key), .blob(value))
        }
    }
}
