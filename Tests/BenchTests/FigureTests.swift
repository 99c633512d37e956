import Testing

@testable import lintel_bench

@Suite("Figures of the benchmark")
struct FigureTests {
    @Test("Percentiles are samples: the smallest that enough others don't exceed")
    func percentiles() throws {
        var latencies = Latencies()
        for value in (1...200).shuffled() { latencies.add(UInt64(value) * 1_000_000) }
        let summary = try #require(latencies.summary())
        #expect(summary.p50 == 100)
        #expect(summary.p95 == 190)
        #expect(summary.p99 == 198)
        #expect(summary.maximum == 200)
        #expect(Latencies().summary() == nil)
    }

    @Test("One sample is every percentile")
    func single() throws {
        var latencies = Latencies()
        latencies.add(2_500_000)
        let summary = try #require(latencies.summary())
        #expect([summary.p50, summary.p99, summary.maximum] == [2.5, 2.5, 2.5])
    }

    @Test(
        "Numbers are written with the digits they deserve",
        arguments: [
            (0.1234, 2, "0.12"), (0.005, 2, "0.01"), (-0.004, 2, "0.00"), (-1.5, 1, "-1.5"), (12_800.4, 0, "12,800"),
            (999.6, 0, "1,000"), (0, 3, "0.000"),
        ]
    )
    func fixed(value: Double, digits: Int, text: String) {
        #expect(FigureText.fixed(value, digits) == text)
    }

    @Test("The median of an even number is between the middle two")
    func median() {
        #expect(FigureText.median([4, 1, 3, 2]) == 2.5)
        #expect(FigureText.median([3, 1, 2]) == 2)
        #expect(FigureText.median([]) == nil)
    }

    @Test("An axis ends at a round number above all values", arguments: [0.03, 0.9, 1.0, 7.2, 99, 101, 38_443])
    func axis(highest: Double) {
        let axis = Axis([highest / 2, highest])
        #expect(axis.maximum >= highest)
        #expect(axis.maximum <= highest * 2)
        #expect((3...7).contains(axis.ticks.count))
    }

    @Test("A logarithmic axis holds all values")
    func logAxis() {
        let axis = LogAxis([0.17, 0.2, 12.9])
        #expect(axis.ticks.first == 0.1)
        #expect(axis.ticks.last == 20)
        #expect(axis.position(0.17) > 0)
        #expect(axis.position(12.9) < 1)
    }
}
