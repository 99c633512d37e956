internal import CCurl

/// libcurl, loaded when the first client is made.
///
/// `Sendable`: the table is filled once and only read from then on.
@safe struct CurlLibrary: @unchecked Sendable {
    /// nil where the library is not installed, or too old.
    static let shared = CurlLibrary()

    let table: UnsafePointer<lintel_curl>

    private init?() {
        let table = UnsafeMutablePointer<lintel_curl>.allocate(capacity: 1)
        unsafe table.initialize(to: lintel_curl())
        guard unsafe lintel_curl_load(table) == 1 else {
            unsafe table.deallocate()
            return nil
        }
        unsafe self.table = UnsafePointer(table)
    }
}
