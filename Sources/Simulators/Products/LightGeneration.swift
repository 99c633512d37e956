/// The three numberings of a lamp's data points.
package enum LightGeneration: Int, Sendable, CaseIterable {
    /// Data points 1 to 10, colour as 14 hex digits.
    case first = 1
    /// Data points 20 to 28, colour as 12 hex digits.
    case second = 2
    /// Data points 1 to 3 without a mode: old white lamps and dimmers. Lamps with colour do not exist in it.
    case third = 3
}
