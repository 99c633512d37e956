import Glibc

/// Where the registry is and how it behaves.
package struct RegistryOptions: Sendable {
    /// The data directory; made where it is not there, for our user alone.
    package var directory: String
    /// Where systemd puts credentials; a file `lintel-registry-key` there replaces `registry.key`.
    package var credentialsDirectory: String?
    /// How long notes are gathered before they are written.
    package var noteInterval: Duration
    /// The steps of the schema; another list only in tests.
    package var migrations: [Migration]
    /// The most pages of 4 KiB that the database may have; nil for no limit.
    package var maxPages: Int?

    /// Options for a data directory; the credentials' directory is taken from the environment.
    package init(directory: String) {
        self.directory = directory
        credentialsDirectory = unsafe getenv("CREDENTIALS_DIRECTORY").map { unsafe String(cString: $0) }
        noteInterval = .seconds(1)
        migrations = Migration.all
        maxPages = nil
    }
}
