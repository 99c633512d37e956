internal import CSQLite
import Glibc

/// What SQLite says of a failed call, taken over before the next call replaces it.
struct SQLiteFailure {
    /// The extended result code.
    let code: Int32
    /// `errno` of the system call that failed; 0 where there was none.
    let systemError: Int32
    /// SQLite's own words.
    let message: String

    init(code: Int32, connection: OpaquePointer?) {
        self.code = code
        systemError = unsafe connection.map { unsafe sqlite3_system_errno($0) } ?? 0
        message = unsafe connection.map { unsafe String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
    }

    /// The failure in the registry's words.
    func registryError(path: String) -> RegistryError {
        let isOutOfSpace = systemError == ENOSPC || systemError == EDQUOT || systemError == EFBIG
        switch code & 0xff {
        case SQLITE_FULL:
            return .diskFull(path: path)
        case SQLITE_IOERR where isOutOfSpace, SQLITE_CANTOPEN where isOutOfSpace:
            return .diskFull(path: path)
        case SQLITE_READONLY:
            return .readOnly(path: path)
        case SQLITE_IOERR where systemError == EROFS, SQLITE_CANTOPEN where systemError == EROFS:
            return .readOnly(path: path)
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            return .corrupt(path: path, detail: message, snapshots: Snapshots.list(of: path))
        case SQLITE_BUSY, SQLITE_LOCKED:
            return .busy(path: path)
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH, SQLITE_IOERR:
            let reason = systemError == 0 ? "" : ": \(SystemError.text(systemError))"
            return .inaccessible(path: path, detail: message + reason)
        default:
            return .sqlite(code: code, message: message)
        }
    }
}
