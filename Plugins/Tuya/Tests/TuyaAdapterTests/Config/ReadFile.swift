import Glibc

struct FileTrouble: Error {
    let path: String
}

/// A whole file.
func readFile(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else { throw FileTrouble(path: path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = fread(&chunk, 1, chunk.count, file)
        if count == 0 { return bytes }
        bytes += chunk[..<count]
    }
}

/// The paths of the files in a folder; none where there is no such folder.
func filesOf(_ folder: String) throws -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var paths: [String] = []
    while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
            tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name.hasSuffix(".swift") { paths.append(folder + "/" + name) }
    }
    return paths.sorted()
}
