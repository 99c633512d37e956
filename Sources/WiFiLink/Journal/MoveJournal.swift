import Glibc
import JSON

/// The file that says that the radio is away, and how it comes back.
///
/// It is on disk before the radio moves and is removed when it is back, so that what there is after a crash or a reboot is
/// what has to be undone.
struct MoveJournal {
    let path: String

    init(directory: String) { path = "\(directory)/wifi-journal.json" }

    /// What is to be undone; nil for nothing.
    ///
    /// - Throws: ``WiFiError/journal(path:code:)`` for a file that cannot be read or understood.
    func read() throws(WiFiError) -> MoveRecord? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure()
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw failure() }
        guard let json = try? JSON.parse(Array(bytes[..<count])), let record = MoveRecord(json: json) else {
            throw .journal(path: path, code: EBADMSG)
        }
        return record
    }

    /// Returns when the record would survive a power cut.
    func write(_ record: MoveRecord) throws(WiFiError) {
        let temporary = "\(path).new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure() }
        let bytes = record.json.serialized()
        let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
        let code = errno
        close(descriptor)
        guard isWritten, rename(temporary, path) == 0 else {
            unlink(temporary)
            throw .journal(path: path, code: isWritten ? errno : code)
        }
        try syncDirectory()
    }

    /// Says that the radio is back.
    func clear() throws(WiFiError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure() }
        // Should the name come back after a power cut, the recovery finds nothing to do.
        try? syncDirectory()
    }

    private func syncDirectory() throws(WiFiError) {
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        // EINVAL: file systems without it write names at once.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure() }
    }

    private func failure() -> WiFiError { .journal(path: path, code: errno) }
}
