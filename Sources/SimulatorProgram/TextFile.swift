import Glibc

/// Writes whole text files.
enum TextFile {
    /// The file could not be written; the text says which and why.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    static func write(_ text: String, to path: String) throws(Problem) {
        guard let file = fopen(path, "w") else {
            throw Problem(description: "cannot write \(path): \(String(cString: strerror(errno)))")
        }
        fputs(text, file)
        guard fclose(file) == 0 else { throw Problem(description: "cannot write \(path)") }
    }
}
