import Glibc
import Testing

/// Runs `body` with a new directory, and removes it with all that is in it.
func withTemporaryDirectory<T>(_ body: (String) async throws -> T) async throws -> T {
    var template = Array("/tmp/lintel-registry-XXXXXX".utf8CString)
    let path = try #require(mkdtemp(&template).map { String(cString: $0) })
    defer { removeTree(path) }
    return try await body(path)
}

private func removeTree(_ path: String) {
    chmod(path, 0o700)
    for name in names(in: path) {
        let child = path + "/" + name
        if unlink(child) != 0 { removeTree(child) }
    }
    rmdir(path)
}

/// Names in a directory, sorted.
func names(in directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
            tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
}

/// A file's bytes; nil where there is none.
func bytes(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = fread(&buffer, 1, buffer.count, file)
        if count == 0 { return bytes }
        bytes += buffer[..<count]
    }
}

/// Replaces a file's bytes from `offset` on; the file grows or is made where needed.
func overwrite(_ path: String, at offset: Int = 0, with bytes: [UInt8], mode: mode_t = 0o600) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT, mode)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    try #require(pwrite(descriptor, bytes, bytes.count, offset) == bytes.count)
}

/// The permission bits of a file.
func permissions(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
}
