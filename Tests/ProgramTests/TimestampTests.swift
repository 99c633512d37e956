import HomeModel
import Testing

@testable import lintel

@Suite("Moments in text")
struct TimestampTests {
    @Test(
        "are read as they are written",
        arguments: [0, 1_000, 951_782_400_123, 1_795_000_000_000, 4_102_444_799_000, -86_400_000]
    )
    func roundTrip(milliseconds: Int64) {
        let moment = Timestamp(milliseconds: milliseconds)
        #expect(Timestamp(iso8601: moment.description) == moment)
    }

    @Test(
        "are refused in any other form",
        arguments: ["", "now", "2026-11-30", "2026-13-01T00:00:00Z", "a-b-cTd:e:fZ"]
    )
    func refused(text: String) {
        #expect(Timestamp(iso8601: text) == nil)
    }
}
