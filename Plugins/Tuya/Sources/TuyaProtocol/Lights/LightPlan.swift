/// What to send for a ``LightChange``.
package struct LightPlan: Equatable, Sendable {
    /// One message; empty: nothing to send.
    package var points = DataPoints()
    /// Kept for the next time that the lamp is switched on.
    package var deferred: [LightProperty] = []
    /// Without meaning in the mode that is asked for in the same breath, and not as it is now.
    package var ignored: [LightProperty] = []

    /// Nothing to send.
    package init() {}

    /// For lamps that take one thing at a time: the mode first, the rest about 100 ms later.
    package func split(modePoint: Int?) -> [DataPoints] {
        guard let modePoint, points.count > 1, let mode = points[modePoint] else {
            return points.isEmpty ? [] : [points]
        }
        var rest = points
        rest[modePoint] = nil
        return [[modePoint: mode], rest]
    }
}
