import Glibc

/// Reads whole files.
enum FileReader {
    /// Why a file could not be read; the words follow its name.
    struct Fault: Error {
        let message: String
    }

    /// - Parameter limit: the most bytes that the file may have.
    static func read(_ path: String, limit: Int) -> Result<[UInt8], Fault> {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return .failure(systemFault()) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 { return .failure(systemFault()) }
            if count == 0 { return .success(bytes) }
            bytes += buffer[..<count]
            guard bytes.count <= limit else { return .failure(Fault(message: "is larger than \(limit >> 10) KiB")) }
        }
    }

    /// Whether users other than the owner may read a file.
    static func isReadableByOthers(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & 0o044 != 0
    }

    private static func systemFault() -> Fault {
        let number = errno
        return Fault(message: "cannot be read: \(unsafe String(cString: strerror(number)))")
    }
}
