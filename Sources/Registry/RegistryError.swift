/// Why the registry cannot be opened, read or written; in every case what was kept is left as it is.
package enum RegistryError: Error, Equatable, Sendable {
    /// The database was written by a newer version.
    case newerSchema(found: Int, supported: Int, path: String)
    /// The database is damaged.
    ///
    /// - `snapshots`: whole copies that were made before migrations, newest first.
    case corrupt(path: String, detail: String, snapshots: [String])
    /// The file is a database of another program.
    case foreign(path: String)
    /// Another gateway uses this data directory; its process id, where it can be told.
    case inUse(directory: String, process: Int32?)
    /// Another program holds the database locked.
    case busy(path: String)
    /// The file, or its directory, cannot be written.
    case readOnly(path: String)
    /// No space is left, or a quota is reached.
    case diskFull(path: String)
    /// The system does not let us at the file, or fails to read or write it.
    case inaccessible(path: String, detail: String)
    /// There are sealed secrets, and no key for them.
    case keyMissing(path: String)
    /// The key is not the one that the secrets were sealed with.
    case keyWrong(path: String)
    /// The key's file does not hold a key.
    case keyMalformed(path: String)
    /// A migration did not go through; the database is as it was.
    ///
    /// - `snapshot`: the copy made before, where there was something to copy.
    case migrationFailed(number: Int, detail: String, snapshot: String?)
    /// A device id belongs to another device of a plugin, or the device has another id, perhaps from before its removal.
    case reserved(id: String, plugin: String, vendorID: String)
    /// A change speaks of a home, room or device that is not there.
    case unknown(kind: String, id: String)
    /// The registry was closed.
    case closed
    /// Sealing or random numbers failed.
    case crypto(detail: String)
    /// Anything else that SQLite reports.
    case sqlite(code: Int32, message: String)
}
