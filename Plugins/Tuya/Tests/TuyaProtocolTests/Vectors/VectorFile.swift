import FoundationEssentials
import JSON

/// The vectors that the suites named `…Vector…` run: the file named by `TUYA_VECTORS`, else the fixture.
///
/// Any file of the same shape runs; kinds that a file lacks have no cases.
enum VectorFile {
    static let path: String =
        ProcessInfo.processInfo.environment["TUYA_VECTORS"] ?? fixture("tuya-vectors.json")

    static let all: [Vector] = {
        guard let data = try? Data(contentsOf: URL(filePath: path)), let file = try? JSON.parse([UInt8](data)) else {
            return []
        }
        return (file["vectors"]?.arrayValue ?? []).map(Vector.init)
    }()

    static func vectors(of kinds: String...) -> [Vector] {
        all.filter { kinds.contains($0["kind"]?.stringValue ?? "") }
    }

    /// Path of a file in `Plugins/Tuya/Tests/Fixtures`.
    static func fixture(_ name: String, from file: String = #filePath) -> String {
        let tests = file.split(separator: "/").dropLast(3)
        return "/" + tests.joined(separator: "/") + "/Fixtures/" + name
    }
}
