import Glibc

/// A folder of its own for a test, removed with all that is in it when the last reference goes.
package final class TemporaryFolder: Sendable {
    /// The absolute path, without a slash at the end.
    package let path: String

    /// Makes the folder below `/tmp`, readable by this user only.
    package init() throws(TestError) {
        var template = Array("/tmp/lintel-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .system(code: errno, call: "mkdtemp") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    /// The path of a file in the folder.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a text file and returns its path.
    @discardableResult
    package func write(_ text: String, to name: String) throws(TestError) -> String {
        let path = file(name)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(code: errno, call: "open \(path)") }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw .system(code: errno, call: "write \(path)")
        }
        return path
    }

    private static func remove(_ path: String) {
        // Removes files and links; fails for folders, which are emptied first.
        if unlink(path) == 0 || errno == ENOENT { return }
        if let folder = opendir(path) {
            while let entry = readdir(folder) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name != "." && name != ".." { remove("\(path)/\(name)") }
            }
            closedir(folder)
        }
        rmdir(path)
    }
}

/// Runs `body` with a folder of its own.
package func withTemporaryFolder<T>(
    _ body: (TemporaryFolder) async throws -> T
) async throws -> T {
    let folder = try TemporaryFolder()
    let result = try await body(folder)
    withExtendedLifetime(folder) {}
    return result
}
