package import JSON

/// The version of a device's system, where it tells one; the new process wants 3.6.1 at least.
package struct TuyaOSVersion: Comparable, Sendable, CustomStringConvertible {
    /// Major, minor, patch.
    package let parts: [Int]

    /// The first version with the new process.
    ///
    /// Source: the vendor's page on the hotspot mode.
    package static let needed = TuyaOSVersion(parts: [3, 6, 1])

    private init(parts: [Int]) { self.parts = parts }

    /// - Parameter text: two or three numbers with dots, with or without a `v` before them.
    package init?(_ text: String) {
        let digits = text.first == "v" || text.first == "V" ? text.dropFirst() : text[...]
        let numbers = digits.split(separator: ".", omittingEmptySubsequences: false).prefix(3).map { Int($0) }
        guard numbers.count >= 2, numbers.allSatisfy({ $0.map { (0..<1000).contains($0) } ?? false }) else {
            return nil
        }
        let parts = numbers.compactMap { $0 }
        self.init(parts: parts + Array(repeating: 0, count: 3 - parts.count))
    }

    /// Members in which firmware may tell the version of its system.
    ///
    /// No document names one; `version` is that of the LAN protocol.
    private static let keys = [
        "tuyaos", "tuyaOs", "tuyaos_ver", "os_ver", "osVersion", "sdk_ver", "sdkVer", "sdkVersion",
    ]

    /// The version that a beacon or a device's description of itself tells, if any.
    package init?(in fields: JSONObject) {
        for key in Self.keys {
            if let version = fields[key]?.stringValue.flatMap({ TuyaOSVersion($0) }) {
                self = version
                return
            }
        }
        return nil
    }

    package var description: String { parts.map { "\($0)" }.joined(separator: ".") }

    package static func < (one: TuyaOSVersion, other: TuyaOSVersion) -> Bool {
        one.parts.lexicographicallyPrecedes(other.parts)
    }
}
