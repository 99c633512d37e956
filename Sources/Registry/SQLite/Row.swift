internal import CSQLite

/// The row that a statement stands on; valid only while the closure that got it runs.
@safe struct Row: ~Copyable {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) { unsafe self.statement = statement }

    func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(statement, column) == SQLITE_NULL }

    func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(statement, column) }

    /// The column's text, read by byte count, so that it may contain NUL.
    func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// A copy of the column's bytes, text or blob.
    func bytes(_ column: Int32) -> [UInt8] {
        // The pointer comes before the count (sqlite.org/c3ref/column_blob.html).
        guard let start = unsafe sqlite3_column_blob(statement, column) else { return [] }
        let count = unsafe Int(sqlite3_column_bytes(statement, column))
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }
}
