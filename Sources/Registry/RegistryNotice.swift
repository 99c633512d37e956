/// Something about the registry that a person should read in the log.
package enum RegistryNotice: Equatable, Sendable, CustomStringConvertible {
    /// The last run did not end cleanly; the database was checked and is whole.
    case recovered(path: String)
    /// The schema was brought from one number to another; 0 is a new database.
    case migrated(from: Int, to: Int)
    /// The key's file was readable by others, and no longer is.
    case keyPermissionsFixed(path: String)
    /// The key's file is readable by others, and its permissions cannot be changed.
    case keyPermissionsOpen(path: String)
    /// A new key was made although there had been another: no secret was sealed with it.
    case keyReplaced(path: String)
    /// A secret cannot be opened and was left out: somebody changed its row.
    case secretUnreadable(owner: String, name: String)
    /// A device's description cannot be read; its plugin will describe it again.
    case descriptionUnreadable(device: String, detail: String)
    /// States and commands cannot be written now; they are kept in memory and tried again.
    case notesDelayed(RegistryError)
    /// They can be written again; `lost` commands were dropped meanwhile, the oldest first.
    case notesResumed(lost: Int)

    /// Whether somebody must act or something is lost; the rest is for information.
    package var isWarning: Bool {
        switch self {
        case .recovered, .migrated: false
        case .notesResumed(let lost): lost > 0
        case .keyPermissionsFixed, .keyPermissionsOpen, .keyReplaced, .secretUnreadable, .descriptionUnreadable,
            .notesDelayed:
            true
        }
    }

    /// One sentence for the log.
    package var description: String {
        switch self {
        case .recovered(let path):
            "the last run did not end cleanly; \(path) was checked and is whole"
        case .migrated(let old, let new):
            old == 0 ? "new registry with schema \(new)" : "registry brought from schema \(old) to \(new)"
        case .keyPermissionsFixed(let path):
            "\(path) was readable by others; it is no longer (mode 0600)"
        case .keyPermissionsOpen(let path):
            "\(path) is readable by others and belongs to another user; set its mode to 0600"
        case .keyReplaced(let path):
            "made a new key \(path); no secret had been sealed with the old one"
        case .secretUnreadable(let owner, let name):
            "the secret \(name) of \(owner) cannot be opened and was left out"
        case .descriptionUnreadable(let device, let detail):
            "the description of \(device) cannot be read until its plugin sends it again: \(detail)"
        case .notesDelayed(let error):
            "states and commands wait in memory: \(error.message)"
        case .notesResumed(let lost):
            lost == 0 ? "states and commands are written again" : "written again; \(lost) old commands were lost"
        }
    }
}
