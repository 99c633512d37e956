import HomeModel
package import JSON
package import TuyaProtocol

/// What an import will do, as a value: a row for each device.
package struct ImportPlan: Sendable, Equatable {
    /// What happens with a device.
    package enum Action: Equatable, Sendable {
        case add
        /// Members that differ, such as `key`.
        case change([String])
        case skip(String)
    }

    package struct Row: Sendable, Equatable {
        package var id: String
        package var name: String
        package var action: Action
        /// nil for a device that is skipped.
        package var device: PairedDevice?
    }

    /// What is known of a device before.
    package struct Known: Sendable {
        package var key: LocalKey?
        package var options: JSONObject
        package var isConfigured: Bool

        package init(key: LocalKey?, options: JSONObject = [:], isConfigured: Bool = false) {
            self.key = key
            self.options = options
            self.isConfigured = isConfigured
        }
    }

    /// In the order of the list, hubs before what they carry where devices are taken in.
    package private(set) var rows: [Row] = []

    /// Compares a list with what is known.
    package init(
        _ list: [(entry: Result<ImportEntry, ImportEntry.Problem>, id: String, name: String)],
        known: [String: Known]
    ) {
        let present = Set(
            list.compactMap { item -> String? in
                guard case .success(let entry) = item.entry, entry.device.options["hub"] == nil else { return nil }
                return entry.device.id
            }
        ).union(known.keys)
        var seen: Set<String> = []
        for item in list {
            switch item.entry {
            case .failure(let problem):
                rows.append(Row(id: item.id, name: item.name, action: .skip(problem.words), device: nil))
            case .success(let entry):
                let device = entry.device
                let action =
                    seen.insert(device.id).inserted
                    ? Self.action(device, known[device.id], present) : .skip("it stands in the list twice")
                let isTaken = if case .skip = action { false } else { true }
                rows.append(Row(id: device.id, name: item.name, action: action, device: isTaken ? device : nil))
            }
        }
    }

    private static func action(_ device: PairedDevice, _ known: Known?, _ present: Set<String>) -> Action {
        if let hub = device.options["hub"]?.stringValue, !present.contains(hub) {
            return .skip("its hub is neither in the list nor known")
        }
        guard let known else { return .add }
        if known.isConfigured { return .skip("it stands in the configuration, which wins") }
        var changes: [String] = []
        if let key = device.key, key != known.key { changes.append("key") }
        // A name is given once; people may have given another.
        for (member, value) in device.options where member != "name" && known.options[member] != value {
            changes.append(member)
        }
        return changes.isEmpty ? .skip("nothing is new") : .change(changes)
    }

    /// The devices to take in, hubs first.
    package var devices: [PairedDevice] {
        let all = rows.compactMap(\.device)
        return all.filter { $0.options["hub"] == nil } + all.filter { $0.options["hub"] != nil }
    }

    /// How many are added, changed, skipped.
    package var counts: (added: Int, changed: Int, skipped: Int) {
        var counts = (added: 0, changed: 0, skipped: 0)
        for row in rows {
            switch row.action {
            case .add: counts.added += 1
            case .change: counts.changed += 1
            case .skip: counts.skipped += 1
            }
        }
        return counts
    }

    /// `[{"id","name","action":"add|change|skip","changes"?,"reason"?}]`, without keys.
    package var table: JSON {
        .array(
            rows.map { row in
                var object: JSONObject = ["id": .string(row.id), "name": .string(row.name)]
                switch row.action {
                case .add: object["action"] = "add"
                case .change(let members):
                    object["action"] = "change"
                    object["changes"] = .array(members.map { .string($0) })
                case .skip(let reason):
                    object["action"] = "skip"
                    object["reason"] = .string(reason)
                }
                return .object(object)
            }
        )
    }

    /// The same for a person, at most thirty rows.
    package var words: String {
        let counts = counts
        var lines = ["\(counts.added) to add, \(counts.changed) to change, \(counts.skipped) to skip."]
        for row in rows.prefix(30) {
            let who = row.name.isEmpty ? row.id : "\(row.name) (\(row.id))"
            switch row.action {
            case .add: lines.append("add \(who)")
            case .change(let members): lines.append("change \(who): \(members.joined(separator: ", "))")
            case .skip(let reason): lines.append("skip \(who): \(reason)")
            }
        }
        if rows.count > 30 { lines.append("… and \(rows.count - 30) more.") }
        return lines.joined(separator: "\n")
    }
}
