import EventLoop
import Testing

@testable import lintel_bench

@Suite("Messages of the load")
struct LoadTests {
    @Test("change the brightness each time, and use every level before one comes again")
    func levels() {
        var level = Level()
        var seen = Set<Int>()
        for _ in 0..<253 {
            let next = level.next
            #expect(next.brightness != level.brightness)
            #expect((3...255).contains(next.brightness))
            #expect(seen.insert(next.brightness).inserted)
            level = next
        }
    }

    @Test("have a raw value of their own, from which the brightness comes back")
    func rawValues() {
        var level = Level()
        var raws = Set<Int>()
        for _ in 0..<253 {
            level = level.next
            #expect((10...1000).contains(level.raw))
            #expect(raws.insert(level.raw).inserted)
            #expect(Level.brightness(of: level.raw) == level.brightness)
        }
    }

    @Test("are known again in order; those that a newer one overtook are counted")
    func pending() {
        var pending = PendingMessages()
        var levels: [Level] = [Level().next]
        for index in 0..<5 {
            pending.add(levels[index], at: MonotonicTime(nanoseconds: UInt64(index)))
            levels.append(levels[index].next)
        }
        #expect(pending.take(brightness: levels[0].brightness)?.superseded == 0)
        let third = pending.take(brightness: levels[2].brightness)
        #expect(third?.superseded == 1)
        #expect(third?.sent == MonotonicTime(nanoseconds: 2))
        #expect(pending.take(brightness: levels[1].brightness) == nil)
        #expect(pending.count == 2)
        #expect(pending.clear() == 2)
        #expect(pending.count == 0)
    }

    @Test("stay cheap to find when thousands are on their way")
    func manyPending() {
        var pending = PendingMessages()
        var level = Level()
        for _ in 0..<10_000 {
            level = level.next
            pending.add(level, at: .now)
            #expect(pending.take(brightness: level.brightness)?.superseded == 0)
        }
        #expect(pending.count == 0)
    }
}
