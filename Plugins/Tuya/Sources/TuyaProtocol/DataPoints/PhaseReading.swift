internal import Crypto

/// Voltage, current and power of one phase, as meters and breakers pack them into a raw data point.
package struct PhaseReading: Equatable, Sendable {
    /// Volts, in tenths.
    package var voltage: Double
    /// Amperes, in thousandths.
    package var current: Double
    /// Watts.
    package var power: Double

    /// Whether the 24 bits of power have a sign, which depends on the firmware.
    package enum PowerSign: Sendable {
        case unsigned
        case signed
    }

    /// Reads at least 8 bytes in base64 or, from older firmware, in hex: voltage u16, current u24, power u24.
    package init?(_ text: String, power sign: PowerSign = .unsigned) {
        // Hex is looked at first: sixteen hex digits are base64 as well, and mean nothing then.
        let isHex = text.utf8.count >= 16 && text.utf8.allSatisfy { Hex.digit($0) != nil }
        guard let bytes = try? isHex ? Hex.decode(text) : Base64.decode(text), bytes.count >= 8 else { return nil }
        func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 << 8 | Int($1) } }
        voltage = Double(number(0..<2)) / 10
        current = Double(number(2..<5)) / 1000
        let raw = number(5..<8)
        power = Double(sign == .signed && raw >= 1 << 23 ? raw - 1 << 24 : raw)
    }
}
