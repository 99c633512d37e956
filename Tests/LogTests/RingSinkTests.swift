import Log
import Testing

@Suite("Ring sink")
struct RingSinkTests {
    private func record(_ number: Int) -> LogRecord {
        LogRecord(time: LogTime(nanoseconds: Int64(number)), level: .info, area: "a", message: "\(number)")
    }

    @Test("the last records stay, the oldest first", arguments: [0, 1, 4, 5, 6, 9, 10, 11, 23])
    func keepsLast(count: Int) {
        let ring = RingSink(capacity: 5)
        for number in 0..<count { ring.write(record(number)) }
        #expect(ring.records == (max(0, count - 5)..<count).map(record))
        #expect(ring.dropped == max(0, count - 5))
        ring.removeAll()
        #expect(ring.records.isEmpty && ring.dropped == 0)
        ring.write(record(1))
        #expect(ring.records == [record(1)])
    }

    @Test("records from many threads are all counted")
    func threads() async {
        let ring = RingSink(capacity: 100)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for number in 0..<500 { ring.write(record(number)) } }
            }
        }
        #expect(ring.records.count == 100)
        #expect(ring.dropped == 3_900)
    }
}
