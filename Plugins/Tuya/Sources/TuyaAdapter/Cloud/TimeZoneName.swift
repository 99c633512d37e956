import Glibc

/// The name of this machine's time zone, which the cloud wants for a new device.
enum TimeZoneName {
    /// `Area/Place`, or `Etc/UTC` where the machine does not say.
    static var current: String {
        if let text = getenv("TZ") {
            let name = String(cString: text)
            if isName(name) { return name }
        }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = bytes.withUnsafeMutableBytes { buffer in
            guard let start = buffer.baseAddress else { return 0 }
            return readlink("/etc/localtime", start.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        guard count > 0 else { return "Etc/UTC" }
        let path = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "/")
        guard let folder = path.lastIndex(of: "zoneinfo") else { return "Etc/UTC" }
        let name = path[(folder + 1)...].joined(separator: "/")
        return isName(name) ? name : "Etc/UTC"
    }

    private static func isName(_ text: String) -> Bool {
        text.contains("/") && text.utf8.count <= 64
            && text.utf8.allSatisfy { CloudRequest.isUnreserved($0) || $0 == 0x2F || $0 == 0x2B }
    }
}
