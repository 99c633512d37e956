import Glibc

/// Reads what the system shows as files.
enum SystemFile {
    /// The text of a file of at most 256 KiB; nil where it cannot be read.
    static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 262_144)
        var count = 0
        while count < bytes.count {
            let more = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
            }
            guard more > 0 else { break }
            count += more
        }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// What tells one start of the machine from another.
    static func bootID() -> String? {
        read("/proc/sys/kernel/random/boot_id").map { String($0.prefix { !$0.isWhitespace }) }
    }
}
