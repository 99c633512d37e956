extension RegistryError: CustomStringConvertible {
    /// What happened, one sentence.
    package var message: String {
        switch self {
        case .newerSchema(let found, let supported, let path):
            "\(path) was written by a newer Lintel: its schema is \(found), this version knows \(supported)."
        case .corrupt(let path, let detail, _):
            "\(path) is damaged: \(detail)."
        case .foreign(let path):
            "\(path) is a database of another program."
        case .inUse(let directory, let process):
            "Another gateway\(process.map { " (process \($0))" } ?? "") uses the data directory \(directory)."
        case .busy(let path):
            "Another program holds \(path) locked."
        case .readOnly(let path):
            "\(path) cannot be written."
        case .diskFull(let path):
            "No space is left for \(path)."
        case .inaccessible(let path, let detail):
            "\(path) cannot be used: \(detail)."
        case .keyMissing(let path):
            "The key \(path) is missing, and the registry has secrets that only it opens."
        case .keyWrong(let path):
            "The key \(path) is not the one that the registry's secrets were sealed with."
        case .keyMalformed(let path):
            "\(path) does not hold a key: 64 hexadecimal digits are expected."
        case .migrationFailed(let number, let detail, _):
            "Step \(number) of the registry's schema failed: \(detail)"
        case .reserved(let id, let plugin, let vendorID):
            "The id \(id) does not belong to \(vendorID) of plugin \(plugin)."
        case .unknown(let kind, let id):
            "There is no \(kind) with id \(id)."
        case .closed:
            "The registry is closed."
        case .crypto(let detail):
            "Secrets cannot be sealed: \(detail)."
        case .sqlite(let code, let message):
            "The registry failed: \(message) (SQLite \(code))."
        }
    }

    /// What to do about it.
    package var hint: String? {
        switch self {
        case .newerSchema(let found, _, let path):
            "Install the newer version again, or stop the gateway and put the copy \(path).before-\(found) back as \(path)."
        case .corrupt(let path, _, let snapshots):
            Self.recovery(path: path, snapshots: snapshots)
        case .foreign:
            "Give Lintel a data_directory of its own."
        case .inUse:
            "Stop the other gateway, or give this one a data_directory of its own."
        case .busy:
            "Close the program that has it open, for example a database browser or a backup."
        case .readOnly:
            "Let the gateway's user write there, or set data_directory to a place that it can write."
        case .diskFull:
            "Free some space; nothing that was kept is lost."
        case .keyMissing:
            "Put the key back from a backup. Without it the secrets are lost: delete registry.db and pair the devices again."
        case .keyWrong:
            "Put the right key back from a backup; look for a systemd credential lintel-registry-key that replaces registry.key."
        case .keyMalformed:
            "Put the key back from a backup."
        case .migrationFailed(_, _, let snapshot):
            snapshot.map { "Nothing was changed; a copy is at \($0). Please report it." } ?? "Please report it."
        case .reserved:
            "Ids are never given to another device, not even after a removal."
        case .inaccessible, .unknown, .closed, .crypto, .sqlite:
            nil
        }
    }

    /// Message and hint.
    package var description: String { hint.map { "\(message) \($0)" } ?? message }

    private static func recovery(path: String, snapshots: [String]) -> String {
        let restore =
            snapshots.first.map { "copy \($0) to \(path)" }
            ?? "start anew: devices that stand in the configuration come back by themselves"
        return """
            Stop the gateway, move \(path), \(path)-wal and \(path)-shm away, and \(restore). \
            `sqlite3 \(path) .recover` may save what is newer. Copies: \
            \(snapshots.isEmpty ? "none" : snapshots.joined(separator: ", ")).
            """
    }
}
