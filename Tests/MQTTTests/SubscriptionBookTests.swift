import EventLoop
import Testing

@testable import MQTT

@Suite("SubscriptionBook")
struct SubscriptionBookTests {
    @Test("filters of equal options share a packet, up to fifty")
    @Loop func batches() {
        let plain = (0..<120).map { MQTTSubscription("a/\($0)") }
        let special = [MQTTSubscription("b", qos: .atMostOnce), MQTTSubscription("c", noLocal: true)]
        let batches = SubscriptionBook.batches(plain + special)
        #expect(batches.map(\.filters.count) == [50, 50, 20, 1, 1])
        #expect(batches.last == .init(filters: ["c"], qos: .atLeastOnce, options: 4))
    }

    @Test("options are encoded as MQTT 5 says")
    func options() {
        #expect(MQTTSubscription("a").options == 0)
        #expect(MQTTSubscription("a", retained: .sendIfNew).options == 0x10)
        #expect(MQTTSubscription("a", noLocal: true, retainAsPublished: true, retained: .ignore).options == 0x2C)
    }

    @Test("a call is complete when each of its filters is answered, in its own order")
    @Loop func completion() {
        var book = SubscriptionBook()
        var results: [[UInt8]] = []
        book.add([MQTTSubscription("a"), MQTTSubscription("b", qos: .atMostOnce)]) { result in
            if case .success(let codes) = result { results.append(codes.map(\.rawValue)) }
        }
        book.sent(1, ["b"])
        book.sent(2, ["a"])
        #expect(book.answered(1, [0]).finished.isEmpty)
        let answer = book.answered(2, [135])
        #expect(answer.codes.map { $0.0.filter } == ["a"])
        #expect(answer.codes.map { $0.1.isRefusal } == [true])
        for (completion, codes) in answer.finished { completion(.success(codes)) }
        #expect(results == [[135, 0]])
        #expect(book.answered(2, [0]).codes.isEmpty)
    }

    @Test("a new connection gets everything again, of equal filters the last")
    @Loop func remembered() {
        var book = SubscriptionBook()
        book.add([MQTTSubscription("a"), MQTTSubscription("b")], nil)
        book.add([MQTTSubscription("a", qos: .exactlyOnce)], nil)
        book.remove(["b"])
        book.sent(7, ["a"])
        #expect(book.batchesForNewConnection() == [.init(filters: ["a"], qos: .exactlyOnce, options: 0)])
        // An answer to a packet of the old connection means nothing.
        #expect(book.answered(7, [0]).codes.isEmpty)
    }
}
