/// Times between a cause and its effect, in nanoseconds.
struct Latencies: Sendable {
    private(set) var samples: [UInt64] = []

    var count: Int { samples.count }

    mutating func add(_ nanoseconds: UInt64) {
        samples.append(nanoseconds)
    }

    mutating func add(_ other: Latencies) {
        samples += other.samples
    }

    /// The figures of these samples; nil where there are none.
    func summary() -> LatencySummary? {
        guard !samples.isEmpty else { return nil }
        let sorted = samples.sorted()
        return LatencySummary(
            count: sorted.count,
            p50: Self.percentile(0.50, of: sorted),
            p95: Self.percentile(0.95, of: sorted),
            p99: Self.percentile(0.99, of: sorted),
            maximum: Double(sorted[sorted.count - 1]) / 1e6
        )
    }

    /// The smallest sample that at least `share` of all samples do not exceed, in milliseconds.
    private static func percentile(_ share: Double, of sorted: [UInt64]) -> Double {
        let rank = Int((share * Double(sorted.count)).rounded(.up))
        return Double(sorted[min(max(rank, 1), sorted.count) - 1]) / 1e6
    }
}
