import Glibc

/// Writes whole text files.
enum TextFile {
    /// The file could not be written; the text says which and why.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    /// The bytes of a file of at most 16 MiB.
    static func read(_ path: String) throws(Problem) -> [UInt8] {
        guard let file = fopen(path, "r") else {
            throw Problem(description: "cannot read it: \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 16 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return [UInt8](bytes.prefix(count))
    }

    static func write(_ text: String, to path: String) throws(Problem) {
        guard let file = fopen(path, "w") else {
            throw Problem(description: "cannot write \(path): \(String(cString: strerror(errno)))")
        }
        fputs(text, file)
        guard fclose(file) == 0 else { throw Problem(description: "cannot write \(path)") }
    }
}
