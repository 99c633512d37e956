internal import Crypto

/// How a colour is written into its data point.
///
/// Source: protocol description, section 5.3.
package enum ColourEncoding: Sendable {
    /// `rrggbbhhhhssvv`: red, green, blue, hue 0 … 360, saturation and value 0 … 255.
    case first
    /// `hhhhssssvvvv`: hue 0 … 360, saturation and value 0 … 1000.
    case second

    /// What saturation and value count to.
    var scale: Double {
        switch self {
        case .first: 255
        case .second: 1000
        }
    }

    /// The encoding of a text that ``decode(_:)`` can read, if it is one that we write too.
    init?(of text: String) {
        switch text.utf8.count {
        case 14: self = .first
        case 12: self = .second
        default: return nil
        }
    }

    /// Lower-case hex digits.
    package func encode(_ colour: HSV) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(7)
        let hue = UInt16(colour.roundedHue)
        switch self {
        case .first:
            let rgb = colour.rgb
            bytes += [rgb.red, rgb.green, rgb.blue].map { UInt8(Rounding.nearest($0 * 255)) }
            bytes += [UInt8(hue >> 8), UInt8(hue & 0xFF)]
            bytes += [UInt8(steps(colour.saturation)), UInt8(steps(colour.value))]
        case .second:
            for number in [hue, UInt16(steps(colour.saturation)), UInt16(steps(colour.value))] {
                bytes += [UInt8(number >> 8), UInt8(number & 0xFF)]
            }
        }
        return Hex.encode(bytes)
    }

    /// A fraction in this encoding's steps.
    func steps(_ fraction: Double) -> Int { Rounding.nearest(fraction * scale) }

    /// Reads 14, 12 or 6 hex digits of either case; the length tells the encoding.
    ///
    /// - Returns: `nil` for anything else and for numbers outside their ranges; keep the colour known before then.
    package static func decode(_ text: String) -> HSV? {
        guard let bytes = try? Hex.decode(text) else { return nil }
        func number(_ index: Int) -> Double { Double(Int(bytes[index]) << 8 | Int(bytes[index + 1])) }
        switch bytes.count {
        case 6:
            let (hue, saturation, value) = (number(0), number(2), number(4))
            guard hue <= 360, saturation <= 1000, value <= 1000 else { return nil }
            return HSV(hue: hue, saturation: saturation / 1000, value: value / 1000)
        case 7:
            let hue = number(3)
            let isBlank = bytes[3...].allSatisfy { $0 == 0 }
            if hue > 360 || isBlank && bytes[..<3].contains(where: { $0 != 0 }) { return rgb(bytes) }
            return HSV(hue: hue, saturation: Double(bytes[5]) / 255, value: Double(bytes[6]) / 255)
        case 3: return rgb(bytes)
        default: return nil
        }
    }

    private static func rgb(_ bytes: [UInt8]) -> HSV {
        HSV(red: Double(bytes[0]) / 255, green: Double(bytes[1]) / 255, blue: Double(bytes[2]) / 255)
    }
}
