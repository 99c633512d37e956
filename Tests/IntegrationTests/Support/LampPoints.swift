import JSON
import Simulators

/// Which data points a lamp has, and what a value means in them; worked out here anew, from the vendor's description.
struct LampPoints {
    let type: LightType
    let generation: LightGeneration

    /// The lamp at a place of a plan.
    init(_ plan: HousePlan, _ index: Int) {
        type = plan.types[index % plan.types.count]
        generation = plan.generations[index % plan.generations.count]
    }

    private var isSecond: Bool { generation == .second }
    var power: Int { isSecond ? 20 : 1 }
    var mode: Int? { isSecond ? 21 : type.hasColor ? 2 : nil }
    var white: Int { isSecond ? 22 : 3 }
    var temperature: Int { isSecond ? 23 : 4 }
    var colour: Int { isSecond ? 24 : 5 }
    var scene: Int? { isSecond ? 25 : nil }
    var countdown: Int? { isSecond ? 26 : nil }

    /// An effect that the lamp has, with the mode and the begin of the scene that stand for it.
    var effect: (name: String, mode: String, scene: String?)? {
        if isSecond { return ("read", "scene", "01") }
        return type.hasColor ? ("scene_2", "scene_2", nil) : nil
    }

    /// The white channel's raw value for 1 … 255: the smallest is 1 %, the largest 100 %.
    func white(_ level: Int) -> Int {
        let (low, high) = isSecond ? (10.0, 1000.0) : (25.0, 255.0)
        let percent = max(1, Double(level) / 255 * 100)
        return Int(((percent - 1) / 99 * (high - low) + low).rounded())
    }

    /// The temperature's raw value for Kelvin between 2700 and 6500, cut off as the vendor's app does.
    func temperature(_ kelvin: Int) -> Int {
        Int(Double(kelvin - 2700) / 3800 * (isSecond ? 1000 : 255))
    }

    /// Hue in degrees, saturation and value in percent, as they stand in the colour's text.
    func colour(_ value: JSON?) -> (hue: Int, saturation: Int, value: Int)? {
        guard let text = value?.stringValue else { return nil }
        func number(_ start: Int, _ count: Int) -> Int? { Int(text.dropFirst(start).prefix(count), radix: 16) }
        if isSecond {
            guard text.count == 12, let hue = number(0, 4), let saturation = number(4, 4), let value = number(8, 4)
            else { return nil }
            return (hue, (saturation + 5) / 10, (value + 5) / 10)
        }
        guard text.count == 14, let hue = number(6, 4), let saturation = number(10, 2), let value = number(12, 2)
        else { return nil }
        return (hue, (saturation * 100 + 127) / 255, (value * 100 + 127) / 255)
    }
}
