import Config
import Glibc
import Testing

/// Reads a configuration with an environment of the test's own.
func parse(
    _ text: String,
    directory: String = "/etc/lintel",
    environment: [String: String] = [:],
    isReadableByOthers: Bool = false
) throws(ConfigProblems) -> Configuration {
    try Configuration.parse(
        Array(text.utf8),
        file: "lintel.yaml",
        sources: SecretSources(directory: directory) { environment[$0] },
        isReadableByOthers: isReadableByOthers
    )
}

/// What is wrong with a configuration, one line each.
func problems(_ text: String, environment: [String: String] = [:]) -> [String] {
    do {
        _ = try parse(text, environment: environment)
        return []
    } catch {
        return error.problems.map(\.description)
    }
}

/// Runs `body` with a new directory, and removes it with the files in it.
func withTemporaryDirectory<T>(_ body: (String) throws -> T) throws -> T {
    var template = Array("/tmp/lintel-config-XXXXXX".utf8CString)
    let path = try #require(mkdtemp(&template).map { String(cString: $0) })
    defer {
        if let stream = opendir(path) {
            while let entry = readdir(stream) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                    tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                unlink(path + "/" + name)
            }
            closedir(stream)
        }
        rmdir(path)
    }
    return try body(path)
}

/// Writes a file.
func write(_ text: String, to path: String, mode: mode_t = 0o600) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode)
    try #require(file >= 0)
    defer { close(file) }
    let bytes = Array(text.utf8)
    try #require(Glibc.write(file, bytes, bytes.count) == bytes.count)
    fchmod(file, mode)
}

/// A file's text.
func contents(of path: String) throws -> String {
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let character = getc(file), character != EOF { bytes.append(UInt8(truncatingIfNeeded: character)) }
    return String(decoding: bytes, as: UTF8.self)
}

/// The root of the repository.
let repository: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    return parts.dropLast(3).joined(separator: "/")
}()
