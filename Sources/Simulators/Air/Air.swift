import Glibc
import JSON

/// The air that simulated devices and simulated radios share: a folder with one file for each network.
///
/// A file is there as long as the network is; it is written whole or not at all, so that a scan never sees half of one.
package struct Air: Sendable {
    /// The folder, which must exist.
    package let folder: String

    /// Names the folder.
    package init(folder: String) {
        self.folder = folder
    }

    /// Puts a network on the air, or says what has changed about it.
    package func put(_ network: AirNetwork) throws(AirError) {
        try Self.write(network.json, to: path(of: network))
    }

    /// Takes a network off the air; does nothing where it is not there.
    package func remove(_ network: AirNetwork) {
        unlink(path(of: network))
    }

    /// The networks on the air, strongest first.
    package func networks() -> [AirNetwork] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var found: [AirNetwork] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasSuffix(".json"), !name.hasPrefix("."), let json = Self.read("\(folder)/\(name)") else {
                continue
            }
            if let network = AirNetwork(json: json) { found.append(network) }
        }
        return found.sorted { ($0.signal, $1.ssid) > ($1.signal, $0.ssid) }
    }

    /// The network of a name, the strongest of them.
    package func network(_ ssid: String) -> AirNetwork? {
        networks().first { $0.ssid == ssid }
    }

    /// Names may hold anything, slashes too, so that a file is called by their digits.
    private func path(of network: AirNetwork) -> String {
        let name = (Array(network.ssid.utf8) + [0] + Array((network.bssid ?? "").utf8)).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return "\(folder)/\(name.joined()).json"
    }

    /// Writes a file at once.
    static func write(_ json: JSON, to path: String) throws(AirError) {
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let temporary = "\(path[..<slash]).\(path[slash...]).\(getpid())"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(path: path, code: errno) }
        let bytes = json.serialized()
        let count = Glibc.write(descriptor, bytes, bytes.count)
        close(descriptor)
        guard count == bytes.count, rename(temporary, path) == 0 else {
            let code = errno
            unlink(temporary)
            throw .file(path: path, code: code)
        }
    }

    /// Reads a file; nil where there is none, or no JSON in it.
    static func read(_ path: String) -> JSON? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return try? JSON.parse(Array(bytes[..<count]))
    }
}
