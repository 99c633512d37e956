internal import Crypto

/// The content of the scene data point of generation 2.
///
/// Source: protocol description, section 5.6.
package struct LightScene: Equatable, Sendable {
    /// How one unit turns into the next.
    package enum Change: Int, Sendable {
        case still = 0
        case jump = 1
        case fade = 2
    }

    /// One colour or white of a scene.
    package struct Unit: Equatable, Sendable {
        /// 0 … 255.
        package var interval: Int
        /// 0 … 255.
        package var time: Int
        /// Numbers other than those of ``Change`` are kept as they are.
        package var changeNumber: Int
        /// Degrees 0 … 360.
        package var hue: Int
        /// 0 … 1000.
        package var saturation: Int
        /// 0 … 1000.
        package var value: Int
        /// Of the white, 0 … 1000.
        package var brightness: Int
        /// Of the white, 0 … 1000.
        package var temperature: Int

        /// Describes a unit; numbers not given are 0.
        package init(
            interval: Int,
            time: Int,
            change: Change,
            hue: Int = 0,
            saturation: Int = 0,
            value: Int = 0,
            brightness: Int = 0,
            temperature: Int = 0
        ) {
            self.interval = interval
            self.time = time
            changeNumber = change.rawValue
            self.hue = hue
            self.saturation = saturation
            self.value = value
            self.brightness = brightness
            self.temperature = temperature
        }

        package var change: Change? { Change(rawValue: changeNumber) }

        fileprivate static let byteCount = 13

        fileprivate init(_ bytes: ArraySlice<UInt8>) {
            let start = bytes.startIndex
            func number(_ offset: Int) -> Int { Int(bytes[start + offset]) << 8 | Int(bytes[start + offset + 1]) }
            interval = Int(bytes[start])
            time = Int(bytes[start + 1])
            changeNumber = Int(bytes[start + 2])
            hue = number(3)
            saturation = number(5)
            value = number(7)
            brightness = number(9)
            temperature = number(11)
        }

        fileprivate var bytes: [UInt8] {
            let small = [interval, time, changeNumber].map { UInt8(clamping: $0) }
            let large = [hue, saturation, value, brightness, temperature].flatMap { number in
                let clamped = UInt16(clamping: number)
                return [UInt8(clamped >> 8), UInt8(clamped & 0xFF)]
            }
            return small + large
        }
    }

    /// 0 … 255; 0 … 7 are the vendor's own.
    package var number: Int
    package var units: [Unit]

    /// Describes a scene.
    package init(number: Int, units: [Unit]) {
        self.number = number
        self.units = units
    }

    /// Reads the data point: a number and any count of units.
    ///
    /// - Returns: `nil` for a text that is not hex or has another length.
    package init?(_ text: String) {
        guard let bytes = try? Hex.decode(text), let number = bytes.first, (bytes.count - 1) % Unit.byteCount == 0
        else {
            return nil
        }
        self.number = Int(number)
        units = stride(from: 1, to: bytes.count, by: Unit.byteCount).map { Unit(bytes[$0..<($0 + Unit.byteCount)]) }
    }

    /// The data point's text: lower-case hex.
    package var encoded: String { Hex.encode([UInt8(clamping: number)] + units.flatMap(\.bytes)) }
}
