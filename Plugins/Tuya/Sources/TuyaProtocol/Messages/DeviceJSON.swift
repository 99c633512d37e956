internal import JSON

/// Reading of what devices call JSON.
enum DeviceJSON {
    /// Devices nest a few levels; a frame holds at most 16 KiB.
    private static let limits = JSONLimits(maxDepth: 16, maxBytes: 64 << 10)

    /// The value in `bytes`: NUL bytes at the end are passed over, and invalid UTF-8 is replaced by U+FFFD.
    static func parse(_ bytes: [UInt8]) -> JSON? {
        var end = bytes.count
        while end > 0, bytes[end - 1] == 0 { end -= 1 }
        do throws(JSONError) {
            return try end == bytes.count
                ? JSON.parse(bytes, limits: limits) : JSON.parse(bytes[..<end], limits: limits)
        } catch {
            guard error.kind == .invalidUTF8 else { return nil }
            let repaired = [UInt8](String(decoding: bytes[..<end], as: UTF8.self).utf8)
            return try? JSON.parse(repaired, limits: limits)
        }
    }
}
