import JSON

/// Percentiles of a set of latencies, in milliseconds.
struct LatencySummary: Sendable {
    let count: Int
    let p50: Double
    let p95: Double
    let p99: Double
    let maximum: Double

    var json: JSON {
        [
            "count": JSON(count), "p50_ms": .rounded(p50), "p95_ms": .rounded(p95), "p99_ms": .rounded(p99),
            "max_ms": .rounded(maximum),
        ]
    }
}

extension JSON {
    /// A measured figure with as many digits as it deserves: three behind the point.
    static func rounded(_ value: Double) -> JSON {
        value.isFinite ? .double((value * 1000).rounded() / 1000) : .null
    }

    /// A measured figure, or null where there is none.
    static func rounded(_ value: Double?) -> JSON {
        value.map { rounded($0) } ?? .null
    }
}
