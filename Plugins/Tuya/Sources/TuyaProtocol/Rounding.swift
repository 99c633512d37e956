// Rounding compiles into calls of the C library's mathematics, which only this import links.
#if canImport(Glibc)
internal import Glibc
#endif

/// Rounding as the protocol's formulas mean it, against what binary fractions make of decimal ones.
enum Rounding {
    /// How far a binary fraction may be off the decimal one that it stands for.
    private static let tolerance = 1e-6

    /// To the nearest integer, halves away from zero.
    static func nearest(_ value: Double) -> Int {
        clamped((value + (value < 0 ? -tolerance : tolerance)).rounded(.toNearestOrAwayFromZero))
    }

    /// Towards zero.
    static func truncated(_ value: Double) -> Int {
        clamped((value + (value < 0 ? -tolerance : tolerance)).rounded(.towardZero))
    }

    /// Numbers from the network may be beyond every integer.
    private static func clamped(_ value: Double) -> Int {
        value.isNaN ? 0 : Int(min(max(value, -9e18), 9e18))
    }
}
