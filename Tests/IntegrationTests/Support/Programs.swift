import Glibc
import TestSupport

/// The programs that these tests start: they lie beside the one that runs the tests.
enum Programs {
    static func path(_ name: String) throws -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let own = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let slash = own.lastIndex(of: "/") else { throw TestError.system(code: errno, call: "readlink") }
        return own[..<slash] + "/" + name
    }

    /// What they find in their environment; nothing of ours.
    static let environment = [
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/tmp", "NO_COLOR": "1",
    ]
}
