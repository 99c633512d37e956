import Glibc

/// Reads and changes files that programs left behind.
enum TextFile {
    /// A file's bytes; nil where it cannot be read.
    static func bytes(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return all }
            all += buffer[..<count]
        }
    }

    /// Overwrites bytes in the middle of a file.
    static func overwrite(_ path: String, at offset: Int, with bytes: [UInt8]) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return pwrite(descriptor, bytes, bytes.count, off_t(offset)) == bytes.count
    }

    /// The paths of all files below a folder.
    static func files(below folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var paths: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name != ".", name != ".." else { continue }
            let path = "\(folder)/\(name)"
            var facts = stat()
            guard lstat(path, &facts) == 0 else { continue }
            if facts.st_mode & S_IFMT == S_IFDIR { paths += files(below: path) } else { paths.append(path) }
        }
        return paths
    }
}
