/// Names of networks as hexadecimal digits, which no program escapes.
enum HexName {
    /// The name; nil for what is empty, hidden (only zeros), no hexadecimal or no UTF-8.
    static func text(_ digits: String) -> String? {
        let digits = Array(digits.utf8)
        guard !digits.isEmpty, digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for offset in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[offset]), let low = value(digits[offset + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return text(bytes)
    }

    /// The name; nil for what is empty, hidden or no UTF-8.
    static func text(_ bytes: [UInt8]) -> String? {
        guard bytes.contains(where: { $0 != 0 }) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// The digits of a name.
    static func digits(_ name: String) -> String {
        name.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The value of a hexadecimal digit.
    static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
