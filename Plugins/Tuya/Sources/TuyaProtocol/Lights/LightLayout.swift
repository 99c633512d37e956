/// Which data points a light uses when no schema says so.
///
/// Source: protocol description, section 5.2.
package enum LightLayout: Int, CaseIterable, Sendable {
    /// Generation 1: points 1 … 10.
    case first = 1
    /// Generation 2: points 20 … 28.
    case second = 2
    /// Three points only: switch, brightness, temperature.
    case third = 3

    var switchPoint: Int { self == .second ? 20 : 1 }

    var modePoint: Int? {
        switch self {
        case .first: 2
        case .second: 21
        case .third: nil
        }
    }

    var brightness: NumberPoint {
        switch self {
        case .first: NumberPoint(id: 3, range: ValueRange(minimum: 25, maximum: 255))
        case .second: NumberPoint(id: 22, range: ValueRange(minimum: 10, maximum: 1000))
        case .third: NumberPoint(id: 2, range: ValueRange(minimum: 25, maximum: 255))
        }
    }

    var temperature: NumberPoint {
        switch self {
        case .first: NumberPoint(id: 4, range: ValueRange(minimum: 0, maximum: 255))
        case .second: NumberPoint(id: 23, range: ValueRange(minimum: 0, maximum: 1000))
        case .third: NumberPoint(id: 3, range: ValueRange(minimum: 0, maximum: 255))
        }
    }

    var colour: ColourPoint? {
        switch self {
        case .first: ColourPoint(id: 5, encoding: .first)
        case .second: ColourPoint(id: 24, encoding: .second)
        case .third: nil
        }
    }

    /// Holds the scene's content; generation 1 has a mode for each scene instead.
    var scenePoint: Int? { self == .second ? 25 : nil }
    var countdown: NumberPoint? {
        self == .second ? NumberPoint(id: 26, range: ValueRange(minimum: 0, maximum: 86_400, unit: "s")) : nil
    }
    var musicPoint: Int? { self == .second ? 27 : nil }
    var controlPoint: Int? { self == .second ? 28 : nil }
}
