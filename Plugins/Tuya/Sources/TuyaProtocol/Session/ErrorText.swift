/// The four error texts of devices, which 3.1 … 3.3 send in clear whatever else they encrypt.
///
/// `parse data error` is 16 bytes long and looks like one cipher block, so payloads are compared with these first.
enum ErrorText: CaseIterable {
    case queryNotSupported
    case wrongDialectOrVersion
    case wrongKeyOrVersion
    case unknownDeviceID

    var bytes: [UInt8] {
        switch self {
        case .queryNotSupported: Self.texts[0]
        case .wrongDialectOrVersion: Self.texts[1]
        case .wrongKeyOrVersion: Self.texts[2]
        case .unknownDeviceID: Self.texts[3]
        }
    }

    private static let texts = [
        "json obj data unvalid", "data format error", "parse data error", "devid not found",
    ].map { [UInt8]($0.utf8) }

    private static let longest = 21
    private static let shortest = 15

    /// The text that `bytes` are from `start` on, NUL bytes at the end not counted.
    init?(_ bytes: [UInt8], from start: Int = 0) {
        var end = bytes.count
        while end > start, bytes[end - 1] == 0 { end -= 1 }
        guard (Self.shortest...Self.longest).contains(end - start) else { return nil }
        let text = bytes[start..<end]
        guard let match = Self.allCases.first(where: { text.elementsEqual($0.bytes) }) else { return nil }
        self = match
    }
}
