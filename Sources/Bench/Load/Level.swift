/// A brightness that tells one message of a lamp from the next.
///
/// Levels are brightnesses on MQTT's scale; each has a raw value of its own on the lamp's scale, 10...1000, so that a
/// message is known again whichever side it is seen on. Two messages in a row never have the same level, so each is a
/// real change.
struct Level: Sendable, Equatable {
    /// 3...255: below, a level and the smallest raw value are the same.
    private static let lowest = 3
    private static let count = 253
    /// Coprime to the count, so that all levels are used before one comes again.
    private static let step = 37

    private(set) var brightness = lowest

    /// The level after this one.
    var next: Level {
        var level = self
        level.brightness = Self.lowest + (brightness - Self.lowest + Self.step) % Self.count
        return level
    }

    /// On the lamp's scale.
    var raw: Int { (brightness * 1000 + 127) / 255 }

    /// The brightness whose raw value is nearest.
    static func brightness(of raw: Int) -> Int { (raw * 255 + 500) / 1000 }
}
