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
    private var devices: [[String: LearnedDevice]]
    private var dirty: Set<Int> = []
    private var timer: LoopTimer?
    private var writer: Task<Void, Never>?

    init(host: any AdapterHost) {
        self.host = host
        devices = Array(repeating: [:], count: Self.shards)
    }

    subscript(id: String) -> LearnedDevice? {
        get { devices[Self.shard(of: id)][id] }
        set {
            let shard = Self.shard(of: id)
            guard devices[shard][id] != newValue else { return }
            devices[shard][id] = newValue
            dirty.insert(shard)
            schedule()
        }
    }

    /// Reads what was kept; what cannot be read is learned again.
    func load() async {
        for shard in devices.indices {
            let kept = try? await host?.storedValue(key: Self.key(shard))
            for (id, value) in kept?.objectValue ?? JSONObject() { devices[shard][id] = LearnedDevice(json: value) }
        }
    }

    /// Writes what has changed, now.
    func flush() async {
        timer = nil
        await writer?.value
        let due = dirty.sorted()
        dirty = []
        for shard in due {
            var object = JSONObject()
            for (id, device) in devices[shard].sorted(by: { $0.key < $1.key }) where !device.isEmpty {
                object[id] = device.json
            }
            // Learned again at the next start, if it cannot be kept now.
            try? await host?.storeValue(object.isEmpty ? nil : .object(object), key: Self.key(shard))
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
            }
        }
    }

    private func write() async {
        writer = nil
        await flush()
    }

    private static func key(_ shard: Int) -> String { "learned/\(shard)" }

    /// The same in every run, unlike Swift's own hashes (FNV-1a).
    private static func shard(of id: String) -> Int {
        var hash: UInt32 = 0x811C_9DC5
        for byte in id.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        return Int(hash % UInt32(shards))
    }
}
