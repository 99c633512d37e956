import EventLoop
import HomeModel
import JSON
import PluginHost
import PluginWire
import Testing

@Suite("CallTable")
struct CallTableTests {
    private static let soon = MonotonicTime(nanoseconds: 1000)
    private static let later = MonotonicTime(nanoseconds: 2000)

    @Loop private static func add(
        _ table: inout CallTable,
        deadline: MonotonicTime = later,
        isUrgent: Bool = false,
        mayWrite: Bool = true
    ) -> (CallTable.Admission, Int64) {
        let (admission, id) = table.add(
            .ping,
            deadline: deadline,
            isUrgent: isUrgent,
            mayWrite: mayWrite,
            completion: { _ in }
        )
        return (admission, id)
    }

    @Test("64 are sent, a thousand wait in order, more are refused")
    @Loop func bounds() {
        var table = CallTable()
        for _ in 0..<CallTable.maxOutstanding { #expect(Self.add(&table).0 == .send) }
        for _ in 0..<CallTable.maxWaiting { #expect(Self.add(&table).0 == .wait) }
        #expect(Self.add(&table).0 == .refuse)
        #expect(table.count == CallTable.maxOutstanding + CallTable.maxWaiting)
        #expect(Self.add(&table, isUrgent: true).0 == .send)
        #expect(table.next() == nil)
    }

    @Test("an answer makes room for the one that waits longest, never for one that came later")
    @Loop func order() {
        var table = CallTable()
        let sent = (0..<64).map { _ in Self.add(&table).1 }
        let waiting = (0..<200).map { _ in Self.add(&table).1 }
        var released: [Int64] = []
        for id in sent + waiting {
            #expect(table.take(id) != nil)
            // A newcomer does not pass those that wait.
            if table.count > 70 { #expect(Self.add(&table).0 == .wait) }
            while let next = table.next() { released.append(next.id) }
        }
        #expect(released == released.sorted())
        #expect(Array(released.prefix(200)) == waiting)
    }

    @Test("an id is answered once, and a foreign one not at all")
    @Loop func once() {
        var table = CallTable()
        let id = Self.add(&table).1
        #expect(table.take(id)?.wasSent == true)
        #expect(table.take(id) == nil)
        #expect(table.take(99) == nil)
        #expect(table.wasIssued(id) && !table.wasIssued(99) && !table.wasIssued(0))
    }

    @Test("what expires is named in order, and what expires while it waits is never sent")
    @Loop func expiry() {
        var table = CallTable()
        for _ in 0..<64 { _ = Self.add(&table) }
        let expiring = (0..<10).map { _ in Self.add(&table, deadline: Self.soon).1 }
        let last = Self.add(&table).1
        #expect(table.earliestDeadline == Self.soon)
        #expect(table.expired(at: MonotonicTime(nanoseconds: 999)).isEmpty)
        #expect(table.expired(at: Self.soon) == expiring)
        for id in expiring { #expect(table.take(id)?.wasSent == false) }
        #expect(table.earliestDeadline == Self.later)
        _ = table.take(1)
        #expect(table.next()?.id == last)
    }

    @Test("without room at the plugin a request waits, although nothing is outstanding")
    @Loop func congestion() {
        var table = CallTable()
        #expect(Self.add(&table, mayWrite: false).0 == .wait)
        #expect(Self.add(&table).0 == .wait)
        #expect(table.next()?.id == 1)
        #expect(table.next()?.id == 2)
        #expect(table.next() == nil)
    }

    @Test("all that is open is taken out in order at the end")
    @Loop func takeAll() {
        var table = CallTable()
        var order: [Int] = []
        for number in 0..<100 {
            _ = table.add(.ping, deadline: Self.later, isUrgent: false, mayWrite: true) { _ in order.append(number) }
        }
        for completion in table.takeAll() { completion(.success(.null)) }
        #expect(order == Array(0..<100))
        #expect(table.count == 0 && table.earliestDeadline == nil && table.next() == nil)
    }
}
