import Glibc

/// Reads small files of `/proc` and the like.
enum SystemFile {
    /// The file's text; nil where it is not there, for example because the process has ended.
    static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The names in a folder, without those that begin with a point.
    static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    /// Writes a whole file.
    static func write(_ text: String, to path: String) throws(BenchError) {
        guard let file = fopen(path, "w") else { throw .cannotWrite(path) }
        fputs(text, file)
        guard fclose(file) == 0 else { throw .cannotWrite(path) }
    }

    /// Removes a folder with everything in it; what cannot be removed stays.
    static func removeFolder(_ path: String) {
        for name in names(in: path) {
            let inner = path + "/" + name
            if unlink(inner) != 0 { removeFolder(inner) }
        }
        rmdir(path)
    }
}
