import Glibc
import TestSupport

extension TemporaryFolder {
    /// Writes a file, making the folder that it stands in.
    func put(_ text: String, at name: String, mode: mode_t = 0o644) throws {
        if let slash = name.lastIndex(of: "/") { mkdir(file(String(name[..<slash])), 0o755) }
        chmod(try write(text, to: name), mode)
    }
}

/// An absolute path as it looks from the working directory.
func relative(_ path: String) -> String {
    guard let here = getcwd(nil, 0) else { return path }
    defer { free(here) }
    let depth = String(cString: here).split(separator: "/").count
    return repeatElement("..", count: depth).joined(separator: "/") + path
}

/// The folder of the programs of this build: that of the test program itself.
var productsFolder: String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let path = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
}
