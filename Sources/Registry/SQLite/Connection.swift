internal import CSQLite

/// Owns a `sqlite3 *`; used by one thread at a time.
@safe struct Connection: ~Copyable {
    /// The database's file, for errors.
    let path: String
    private let raw: OpaquePointer
    private let cache = StatementCache()

    /// Opens an existing file; nothing is written to it before the first statement that does.
    ///
    /// - Parameter busyTimeout: how long to wait for another program's lock, in milliseconds.
    init(path: String, busyTimeout: Int32 = 5000) throws(RegistryError) {
        var raw: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = unsafe sqlite3_open_v2(path, &raw, flags, nil)
        guard code == SQLITE_OK, let raw = unsafe raw else {
            let failure = unsafe SQLiteFailure(code: code, connection: raw)
            unsafe sqlite3_close_v2(raw)  // SQLite allocates a handle even when opening fails.
            throw failure.registryError(path: path)
        }
        self.path = path
        unsafe self.raw = raw
        unsafe sqlite3_busy_timeout(raw, busyTimeout)
    }

    deinit {
        cache.removeAll()
        unsafe sqlite3_close_v2(raw)
    }

    /// Whether SQLite had to open the file for reading only.
    var isReadOnly: Bool { unsafe sqlite3_db_readonly(raw, "main") == 1 }

    /// Whether closing leaves the write-ahead log as it is instead of moving it into the database.
    func keepLogOnClose(_ keep: Bool) { unsafe _ = lintel_keep_wal_on_close(raw, keep ? 1 : 0) }

    /// How many rows the last statement changed.
    var changedRows: Int { unsafe Int(sqlite3_changes(raw)) }

    /// Runs any number of statements without values or results.
    func execute(_ sql: String) throws(RegistryError) {
        let code = unsafe sqlite3_exec(raw, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// Runs a statement to its end and ignores its rows.
    func run(_ sql: String, _ values: SQLValue...) throws(RegistryError) {
        try forEach(sql, values) { _ throws(RegistryError) in true }
    }

    /// All rows of a statement.
    func all<T>(
        _ sql: String,
        _ values: SQLValue...,
        read: (borrowing Row) throws(RegistryError) -> T
    ) throws(RegistryError) -> [T] {
        var rows: [T] = []
        try forEach(sql, values) { row throws(RegistryError) in
            rows.append(try read(row))
            return true
        }
        return rows
    }

    /// The first row of a statement.
    func first<T>(
        _ sql: String,
        _ values: SQLValue...,
        read: (borrowing Row) throws(RegistryError) -> T
    ) throws(RegistryError) -> T? {
        var found: T?
        try forEach(sql, values) { row throws(RegistryError) in
            found = try read(row)
            return false
        }
        return found
    }

    /// Runs `body` in one transaction: all of it, or nothing.
    func transaction<T>(
        _ durability: Durability,
        _ body: () throws(RegistryError) -> T
    ) throws(RegistryError) -> T {
        // Not allowed inside a transaction, and takes effect at once (sqlite.org/pragma.html#pragma_synchronous).
        try execute("PRAGMA synchronous = \(durability.rawValue)")
        try run("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // A full disk has rolled back already; then this fails and changes nothing.
            unsafe _ = sqlite3_exec(raw, "ROLLBACK", nil, nil, nil)
            throw error
        }
    }

    private func forEach(
        _ sql: String,
        _ values: [SQLValue],
        _ body: (borrowing Row) throws(RegistryError) -> Bool
    ) throws(RegistryError) {
        let (code, prepared) = unsafe cache.statement(for: sql, on: raw)
        guard code == SQLITE_OK, let statement = unsafe prepared else { throw failure(code) }
        defer {
            unsafe sqlite3_reset(statement)
            // Values may be secrets on their way to be sealed: do not keep them longer than the call.
            unsafe sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() {
            let bound = unsafe Self.bind(value, to: statement, at: Int32(index + 1))
            guard bound == SQLITE_OK else { throw failure(bound) }
        }
        while true {
            let step = unsafe sqlite3_step(statement)
            if step == SQLITE_DONE { return }
            guard step == SQLITE_ROW else { throw failure(step) }
            guard try body(unsafe Row(statement)) else { return }
        }
    }

    private static func bind(_ value: SQLValue, to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch value {
        case .null:
            unsafe sqlite3_bind_null(statement, index)
        case .integer(let number):
            unsafe sqlite3_bind_int64(statement, index, number)
        case .text(var text):
            text.withUTF8 { text in
                unsafe text.withMemoryRebound(to: CChar.self) { text in
                    unsafe lintel_bind_text(statement, index, text.baseAddress, Int32(text.count))
                }
            }
        case .blob(let bytes):
            unsafe bytes.withUnsafeBytes { bytes in
                unsafe lintel_bind_blob(statement, index, bytes.baseAddress, Int32(bytes.count))
            }
        }
    }

    private func failure(_ code: Int32) -> RegistryError {
        unsafe SQLiteFailure(code: code, connection: raw).registryError(path: path)
    }
}
