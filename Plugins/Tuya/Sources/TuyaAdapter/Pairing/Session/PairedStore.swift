import DeviceInterface
import EventLoop
import HomeModel
import JSON

/// Keeps what is known of paired devices, but their keys, in the gateway's store: one value for each, and a list of them.
@Loop
final class PairedStore {
    private static let listKey = "paired"
    /// The gateway takes no larger values.
    private static let valueLimit = 65_000

    private weak var host: (any AdapterHost)?
    private(set) var options: [String: JSONObject] = [:]
    private var dirty: Set<String> = []
    private var writer: Task<Void, Never>?

    init(host: any AdapterHost) { self.host = host }

    /// Reads what was kept.
    ///
    /// - Throws: what the store says; going on without would write a list that lacks what could not be read.
    func load() async throws(CommandError) {
        let list = try await host?.storedValue(key: Self.listKey)
        for id in list?.arrayValue?.compactMap(\.stringValue) ?? [] where options[id] == nil {
            let value = try await host?.storedValue(key: Self.key(id))
            if let object = value?.objectValue { options[id] = object }
        }
    }

    func put(_ options: JSONObject, of id: String) {
        guard self.options[id] != options else { return }
        self.options[id] = options
        changed(id)
    }

    func forget(_ id: String) {
        guard options.removeValue(forKey: id) != nil else { return }
        changed(id)
    }

    /// Writes what has changed.
    func flush() async {
        while let writer { await writer.value }
    }

    private func changed(_ id: String) {
        dirty.insert(id)
        guard writer == nil else { return }
        writer = Task { @Loop [weak self] in
            await self?.write()
            self?.writer = nil
        }
    }

    private func write() async {
        while !dirty.isEmpty {
            let due = dirty.sorted()
            dirty = []
            let list = JSON.array(options.keys.sorted().map { .string($0) })
            for id in due {
                var value = options[id]
                // A product with a schema beyond all measure is found out by what it reports.
                if let object = value, JSON.object(object).serialized().count > Self.valueLimit {
                    value?["schema"] = nil
                }
                await keep(value.map { .object($0) }, key: Self.key(id))
            }
            await keep(list, key: Self.listKey)
        }
    }

    /// Writes a value; what cannot be kept is missing after a restart, the key is kept apart from it.
    private func keep(_ value: JSON?, key: String) async {
        do throws(CommandError) {
            try await host?.storeValue(value, key: key)
        } catch {
            let reason = ["key": key, "reason": error.message]
            let words = "what is known of a paired device was not kept"
            host?.log(AdapterLogRecord(level: "warning", message: words, metadata: reason))
        }
    }

    private static func key(_ id: String) -> String { "paired/\(id.prefix(200))" }
}
