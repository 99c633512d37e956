import Glibc

/// Keeps a second gateway out of a data directory, and remembers whether the last one ended cleanly.
///
/// `lintel.lock` holds a line of fixed length, so that it can be rewritten on a full disk. The lock is the kernel's and
/// ends with the process, however that ends.
struct DirectoryLock: ~Copyable {
    private let file: OpenFile
    /// Whether the run before released the lock; false also where there was none.
    let wasClean: Bool

    /// Takes the lock.
    ///
    /// - Throws: ``RegistryError/inUse(directory:process:)``.
    static func take(_ directory: String) throws(RegistryError) -> DirectoryLock {
        let path = directory + "/lintel.lock"
        guard let file = try OpenFile(path, flags: O_RDWR | O_CREAT) else { throw .readOnly(path: path) }
        let isOurs = flock(file.descriptor, LOCK_EX | LOCK_NB) == 0
        let failure = errno
        let line = String(decoding: try file.read(limit: 64), as: UTF8.self)
        guard isOurs else {
            guard failure == EWOULDBLOCK else { throw .inaccessible(path: path, detail: SystemError.text(failure)) }
            throw .inUse(
                directory: directory,
                process: line.split(whereSeparator: \.isWhitespace).last.flatMap { Int32($0) }
            )
        }
        try file.write(Self.line("running", process: getpid()))
        return DirectoryLock(file: file, wasClean: line.hasPrefix("clean"))
    }

    private init(file: consuming OpenFile, wasClean: Bool) {
        self.file = file
        self.wasClean = wasClean
    }

    /// Says that the database was closed as it should be, and lets the next gateway in.
    consuming func release() {
        // Where this fails the next start checks the database once more: slower, not wrong.
        try? file.write(Self.line("clean", process: getpid()))
    }

    deinit {
        // A process that is being started at this moment still has a copy of the descriptor, which would keep the lock.
        _ = flock(file.descriptor, LOCK_UN)
    }

    private static func line(_ word: String, process: Int32) -> [UInt8] {
        let digits = String(process)
        let padding = String(repeating: " ", count: max(1, 20 - word.utf8.count - digits.utf8.count))
        return [UInt8]("\(word)\(padding)\(digits)\n".utf8)
    }
}
