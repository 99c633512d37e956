import EventLoop
import HomeModel

/// Brings changes to the store in order, those that wait together in one transaction.
@Loop
final class CommitQueue {
    private struct Entry {
        let changes: [HouseChange]
        let completion: @Loop (CommandError?) -> Void
    }

    private let store: any HouseStore
    private var entries: [Entry] = []
    private var drain: Task<Void, Never>?

    init(store: any HouseStore) {
        self.store = store
    }

    /// Commits changes; `completion` runs when they survive any kill, or with what prevented them.
    func submit(_ changes: [HouseChange], completion: @escaping @Loop (CommandError?) -> Void) {
        entries.append(Entry(changes: changes, completion: completion))
        guard drain == nil else { return }
        drain = Task { @Loop in await run() }
    }

    /// Commits changes and returns when they survive any kill.
    func commit(_ changes: [HouseChange]) async throws(CommandError) {
        let failure = await withCheckedContinuation { continuation in
            submit(changes) { continuation.resume(returning: $0) }
        }
        if let failure { throw failure }
    }

    /// Waits until nothing is under way.
    func settle() async {
        while let drain { await drain.value }
    }

    private func run() async {
        while !entries.isEmpty {
            let batch = entries
            entries = []
            await commit(batch)
        }
        drain = nil
    }

    /// One transaction for all; where that fails each alone, so that one bad change takes no other with it.
    private func commit(_ batch: [Entry]) async {
        do throws(CommandError) {
            try await store.commit(batch.flatMap(\.changes))
            for entry in batch { entry.completion(nil) }
        } catch {
            guard batch.count > 1 else {
                for entry in batch { entry.completion(error) }
                return
            }
            for entry in batch { await commit([entry]) }
        }
    }
}
