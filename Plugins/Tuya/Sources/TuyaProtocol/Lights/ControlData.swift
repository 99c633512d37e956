internal import Crypto

/// What goes into the control and music data points while a slider moves; never reported back.
///
/// Source: protocol description, section 5.6.
package struct ControlData: Equatable, Sendable {
    /// How the lamp gets there.
    package enum Change: Int, Sendable {
        case direct = 0
        case fade = 1
    }

    package var change: Change
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

    /// Describes a preview.
    package init(change: Change, hue: Int, saturation: Int, value: Int, brightness: Int, temperature: Int) {
        self.change = change
        self.hue = hue
        self.saturation = saturation
        self.value = value
        self.brightness = brightness
        self.temperature = temperature
    }

    /// 21 lower-case hex digits.
    package var encoded: String {
        let bytes = [hue, saturation, value, brightness, temperature].flatMap { number in
            let clamped = UInt16(clamping: number)
            return [UInt8(clamped >> 8), UInt8(clamped & 0xFF)]
        }
        return "\(change.rawValue)" + Hex.encode(bytes)
    }
}
