import HomeModel
import Testing

@Suite("Timestamps")
struct TimestampTests {
    @Test(
        "a moment is written as ISO 8601 in UTC",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1_796_033_702_000, "2026-11-30T10:15:02Z"),
            (951_782_400_250, "2000-02-29T00:00:00.250Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (4_107_542_399_000, "2100-02-28T23:59:59Z"), (4_107_542_400_000, "2100-03-01T00:00:00Z"),
        ] as [(Int64, String)]
    )
    func written(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).description == text)
    }
}
