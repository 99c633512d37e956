import Glibc

/// The few things that the program does with files itself.
enum Files {
    /// A file's bytes; nil where it cannot be read or is larger than `limit`.
    static func read(_ path: String, limit: Int) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while bytes.count <= limit {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return ferror(file) == 0 ? bytes : nil }
            bytes += buffer[..<count]
        }
        return nil
    }

    /// Writes a file of our own user's, whole or not at all.
    static func write(_ text: String, to path: String) throws(Failure) {
        let temporary = "\(path).new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw cannot("write", path) }
        let bytes = Array(text.utf8)
        let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
        guard written == bytes.count, rename(temporary, path) == 0 else { throw cannot("write", path) }
    }

    /// Makes a folder, with those above it.
    static func makeFolder(_ path: String, mode: mode_t = 0o700) throws(Failure) {
        if isFolder(path) { return }
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            try makeFolder(String(path[..<slash]), mode: 0o755)
        }
        guard mkdir(path, mode) == 0 || errno == EEXIST else { throw cannot("make", path) }
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// A path without links.
    static func resolved(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    private static func cannot(_ verb: String, _ path: String) -> Failure {
        Failure(.configuration, "Cannot \(verb) \(path): \(String(cString: strerror(errno))).")
    }
}
