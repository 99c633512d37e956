import Glibc

/// Owns a file descriptor that children do not inherit.
struct OpenFile: ~Copyable {
    let path: String
    let descriptor: Int32

    /// Opens a file.
    ///
    /// - Parameter mode: permissions of a file that is created.
    /// - Returns: nil where the file does not exist and `flags` does not create it, or exists and must not (`O_EXCL`).
    init?(_ path: String, flags: Int32, mode: mode_t = 0o600) throws(RegistryError) {
        let descriptor = unsafe open(path, flags | O_CLOEXEC, mode)
        if descriptor < 0 {
            let number = errno
            if number == ENOENT, flags & O_CREAT == 0 { return nil }
            if number == EEXIST { return nil }
            throw SystemError.registryError(number, path: path)
        }
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// The bytes from the start, at most `limit`.
    func read(limit: Int) throws(RegistryError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, limit, 0) }
        guard count >= 0 else { throw SystemError.registryError(errno, path: path) }
        return [UInt8](bytes.prefix(count))
    }

    /// Writes at the start and, unless told otherwise, waits until the disk has it.
    func write(_ bytes: [UInt8]) throws(RegistryError) {
        let count = unsafe bytes.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        guard count >= 0 else { throw SystemError.registryError(errno, path: path) }
        guard count == bytes.count else { throw .diskFull(path: path) }
        guard fsync(descriptor) == 0 else { throw SystemError.registryError(errno, path: path) }
    }

    /// The permission bits.
    func permissions() throws(RegistryError) -> mode_t {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw SystemError.registryError(errno, path: path) }
        return status.st_mode & 0o7777
    }
}

/// Steps on names of files.
enum FileSystem {
    /// Makes the names in a directory survive a power cut.
    static func syncDirectory(_ path: String) {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        // Some file systems refuse it; there is nothing else that could be done.
        _ = fsync(descriptor)
        close(descriptor)
    }

    /// Gives a file another name; a file of that name is replaced.
    static func move(_ old: String, to new: String) throws(RegistryError) {
        guard unsafe rename(old, new) == 0 else { throw SystemError.registryError(errno, path: new) }
    }

    /// Makes a directory and those above it, for our user alone.
    static func makeDirectory(_ path: String) throws(RegistryError) {
        var made = ""
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            made += made.isEmpty && part.isEmpty ? "/" : (made.isEmpty || made == "/" ? "" : "/") + part
            guard !part.isEmpty, unsafe mkdir(made, 0o700) != 0 else { continue }
            let number = errno
            // Whatever is there already decides later whether it is good enough.
            if number == EEXIST || (unsafe access(made, F_OK) == 0) { continue }
            throw SystemError.registryError(number, path: path)
        }
    }

    /// Names in a directory, in no order.
    static func names(in directory: String) -> [String] {
        guard let stream = unsafe opendir(directory) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            names.append(name)
        }
        return names
    }
}
