/// Data points that a device measures only when asked to, such as power and voltage of a plug.
package struct RefreshSettings: Sendable, Equatable {
    /// The shortest time between two requests: more often, and devices stop answering.
    package static let shortestInterval = Duration.seconds(10)

    /// Ids of data points.
    package var points: [Int]
    /// Time between requests, at least ``shortestInterval``.
    package var interval: Duration

    /// Asks for `points` every `interval`.
    package init(points: [Int], interval: Duration) {
        self.points = points
        self.interval = interval
    }

    init(_ reader: inout ConfigReader) {
        points = reader.integers("dps", 1...255) ?? []
        if points.isEmpty, reader.problems.isEmpty { reader.add("dps", "is missing: which data points to refresh") }
        interval = .seconds(reader.integer("interval", 10...86_400) ?? 30)
        reader.refuseOtherKeys()
    }
}
