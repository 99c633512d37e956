import DeviceInterface
import EventLoop
import HomeModel
import JSON

/// Keeps what devices have shown of themselves in the gateway's store, many devices to a value.
///
/// Changes are gathered for a moment and then written once.
@Loop
final class LearnedStore {
    /// Values to spread devices over, since one holds 64 KiB at most.
    private static let shards = 16
    private static let delay = Duration.seconds(1)

    private weak var host: (any AdapterHost)?
    /// What was kept of devices that have not asked for it.
    private var kept: [String: LearnedDevice] = [:]
    private var dirty: Set<Int> = []
    private var timer: LoopTimer?
    private var writer: Task<Void, Never>?
    /// What devices know of themselves now; asked when something is written, so that it is not held twice.
    var present: (@Loop () -> [(id: String, device: LearnedDevice)])?

    init(host: any AdapterHost) { self.host = host }

    /// Reads what was kept; what cannot be read is learned again.
    func load() async {
        for shard in 0..<Self.shards {
            let value = try? await host?.storedValue(key: Self.key(shard))
            for (id, device) in value?.objectValue ?? JSONObject() { kept[id] = LearnedDevice(json: device) }
        }
    }

    /// Hands out what was kept of a device; from then on the device itself holds it.
    func take(_ id: String) -> LearnedDevice? { kept.removeValue(forKey: id) }

    /// A device has learned something, or is gone: its part is written soon.
    func changed(_ id: String) {
        kept[id] = nil
        dirty.insert(Self.shard(of: id))
        schedule()
    }

    /// Writes what has changed, now.
    func flush() async {
        timer = nil
        await writer?.value
        await write()
    }

    private func write() async {
        let due = dirty
        dirty = []
        guard !due.isEmpty else { return }
        var objects: [Int: JSONObject] = [:]
        let all = (present?() ?? []) + kept.map { ($0.key, $0.value) }
        for (id, device) in all.sorted(by: { $0.id < $1.id }) where !device.isEmpty {
            let shard = Self.shard(of: id)
            if due.contains(shard) { objects[shard, default: [:]][id] = device.json }
        }
        for shard in due.sorted() {
            // Learned again at the next start, if it cannot be kept now.
            try? await host?.storeValue(objects[shard].map { .object($0) }, key: Self.key(shard))
        }
    }

    private func schedule() {
        guard timer == nil else { return }
        timer = LoopTimer(after: Self.delay) { [weak self] in
            guard let self else { return }
            timer = nil
            let before = writer
            writer = Task { @Loop [weak self] in
                await before?.value
                await self?.write()
                self?.writer = nil
            }
        }
    }

    private static func key(_ shard: Int) -> String { "learned/\(shard)" }

    /// The same in every run, unlike Swift's own hashes (FNV-1a).
    private static func shard(of id: String) -> Int {
        var hash: UInt32 = 0x811C_9DC5
        for byte in id.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        return Int(hash % UInt32(shards))
    }
}
