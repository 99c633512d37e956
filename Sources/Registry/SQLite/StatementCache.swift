internal import CSQLite

/// The prepared statements of one connection, by their text.
///
/// The registry has some forty statements, all literals, so nothing is ever evicted.
@safe final class StatementCache {
    private var statements: [String: OpaquePointer] = unsafe [:]

    /// The statement for `sql`, prepared at its first use.
    func statement(for sql: String, on connection: OpaquePointer) -> (code: Int32, statement: OpaquePointer?) {
        if let known = unsafe statements[sql] { return unsafe (SQLITE_OK, known) }
        var made: OpaquePointer?
        var sql = sql
        let code = sql.withUTF8 { text in
            unsafe text.withMemoryRebound(to: CChar.self) { text in
                unsafe sqlite3_prepare_v3(
                    connection,
                    text.baseAddress,
                    Int32(text.count),
                    UInt32(SQLITE_PREPARE_PERSISTENT),
                    &made,
                    nil
                )
            }
        }
        if let made = unsafe made { unsafe statements[sql] = made }
        return unsafe (code, made)
    }

    /// Frees all statements; before the connection is closed.
    func removeAll() {
        // Not a for loop: the formatter drops the mark that its sequence is unsafe.
        unsafe statements.values.forEach { statement in unsafe sqlite3_finalize(statement) }
        unsafe statements.removeAll()
    }

    deinit { removeAll() }
}
