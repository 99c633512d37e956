import Glibc

/// Words for `errno`.
enum SystemError {
    static func text(_ number: Int32) -> String { unsafe String(cString: strerror(number)) }

    /// The failure of a system call on a file, in the registry's words.
    static func registryError(_ number: Int32, path: String) -> RegistryError {
        switch number {
        case ENOSPC, EDQUOT, EFBIG: .diskFull(path: path)
        case EROFS, EACCES, EPERM: .readOnly(path: path)
        default: .inaccessible(path: path, detail: text(number))
        }
    }
}
