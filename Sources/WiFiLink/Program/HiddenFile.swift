import Glibc

/// A file in memory, without a name, that a program of our user can open by a path.
struct HiddenFile: ~Copyable {
    private let descriptor: Int32

    /// Makes a file; nil where the system has no room.
    init?(_ bytes: [UInt8]) {
        let name = "/lintel-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
        let descriptor = shm_open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        shm_unlink(name)
        guard write(descriptor, bytes, bytes.count) == bytes.count else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Where others find it, as long as this lives.
    var path: String { "/proc/\(getpid())/fd/\(descriptor)" }
}
