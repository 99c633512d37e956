import EventLoop
import Synchronization
import Testing

@Suite("Loop", .timeLimit(.minutes(1)))
struct LoopTests {
    @Test("code of the actor runs on the loop's thread")
    func isolation() async {
        #expect(!Loop.isCurrent)
        let isCurrent = await Task { @Loop in
            Loop.preconditionIsolated()
            Loop.shared.preconditionIsolated()
            return Loop.isCurrent
        }.value
        #expect(isCurrent)
    }

    @Test("the actor's own code may assume its isolation and gets the result or the error")
    @Loop func assume() throws {
        let value = Loop.assumeIsolated { onLoop() }
        #expect(value == 7)
        #expect(throws: LoopError.closed) { try Loop.assumeIsolated { throw LoopError.closed } }
    }

    @Loop private func onLoop() -> Int { 7 }

    @Test("next ticks run in order, after the current code and before a timer")
    @Loop func nextTick() async {
        var order: [Int] = []
        await withCheckedContinuation { continuation in
            var timer: LoopTimer?
            timer = LoopTimer(after: .zero) {
                order.append(4)
                timer = nil
                continuation.resume()
            }
            Loop.nextTick {
                order.append(2)
                Loop.nextTick { order.append(3) }
            }
            order.append(1)
            _ = timer
        }
        #expect(order == [1, 2, 3, 4])
    }

    @Test("work of one thread runs in the order in which it was posted")
    func postOrder() async {
        let seen = await withCheckedContinuation { continuation in
            let log = LoopLog()
            for number in 0..<1_000 { Loop.post { log.numbers.append(number) } }
            Loop.post { continuation.resume(returning: log.numbers) }
        }
        #expect(seen == Array(0..<1_000))
    }

    @Test("ten thousand hops from tasks on other threads all arrive")
    func hops() async {
        let log = LoopLog()
        await withTaskGroup { group in
            for number in 0..<100 {
                group.addTask { for step in 0..<100 { await log.append(number * 100 + step) } }
            }
        }
        #expect(await log.numbers.sorted() == Array(0..<10_000))
    }

    @Test("a task that yields without end does not keep timers from firing")
    @Loop func starvation() async throws {
        let spinner = Task { @Loop in
            while !Task.isCancelled { await Task.yield() }
        }
        try await Loop.sleep(for: .milliseconds(20))
        spinner.cancel()
        await spinner.value
    }

    @Test("offloaded work runs elsewhere and comes back to the loop")
    @Loop func offload() async throws {
        let wasOnLoop = try await Loop.offload { Loop.isCurrent }
        #expect(!wasOnLoop)
        #expect(Loop.isCurrent)
        await #expect(throws: LoopError.reset) { try await Loop.offload { throw LoopError.reset } }
    }

    @Test("a cancelled sleep ends at once with an error")
    @Loop func cancelledSleep() async {
        let started = Loop.now
        let task = Task { @Loop in
            do throws(LoopError) {
                try await Loop.sleep(for: .seconds(3600))
                return nil as LoopError?
            } catch {
                return error
            }
        }
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(Loop.now - started < .seconds(60))
    }

    @Test("an object that is dropped in a callback is destroyed on the loop")
    @Loop func isolatedDeinit() async throws {
        let count = Mutex(0)
        for _ in 0..<10 {
            let probe = DeinitProbe { count.withLock { $0 += 1 } }
            await Task.detached { _ = probe }.value
        }
        // Deinits of other threads travel as jobs; one more round trip lets them arrive.
        await Task.detached { await Task { @Loop in }.value }.value
        #expect(count.withLock { $0 } == 10)
    }
}

@Loop
private final class LoopLog {
    var numbers: [Int] = []
    func append(_ number: Int) { numbers.append(number) }
}

@Loop
private final class DeinitProbe {
    let onDeinit: @Sendable () -> Void
    init(onDeinit: @escaping @Sendable () -> Void) { self.onDeinit = onDeinit }
    isolated deinit {
        Loop.preconditionIsolated()
        onDeinit()
    }
}
