import Glibc

/// Whole copies of the database, made before migrations: `registry.db.before-<n>`.
enum Snapshots {
    private static let kept = 3
    private static let mark = ".before-"

    /// The copies beside a database, newest first.
    static func list(of path: String) -> [String] {
        let (directory, name) = split(path)
        let prefix = name + mark
        return FileSystem.names(in: directory)
            .compactMap { $0.hasPrefix(prefix) ? Int($0.dropFirst(prefix.count)) : nil }
            .sorted(by: >)
            .map { path + mark + String($0) }
    }

    /// Copies the database and forgets all copies but the newest three.
    ///
    /// - Returns: the copy's path. It is whole and on the disk, or it is not there.
    static func make(of connection: borrowing Connection, before number: Int) throws(RegistryError) -> String {
        let path = connection.path + mark + String(number)
        let temporary = path + ".new"
        unsafe unlink(temporary)
        do throws(RegistryError) {
            // SQLite fills an empty file that is there already, and so the copy has our permissions.
            guard let file = try OpenFile(temporary, flags: O_RDWR | O_CREAT | O_EXCL) else {
                throw RegistryError.inaccessible(path: temporary, detail: "it appeared while it was made")
            }
            try connection.run("VACUUM INTO ?", .text(temporary))
            guard fsync(file.descriptor) == 0 else { throw SystemError.registryError(errno, path: temporary) }
            try FileSystem.move(temporary, to: path)
        } catch {
            unsafe unlink(temporary)
            throw error
        }
        FileSystem.syncDirectory(split(path).directory)
        for old in list(of: connection.path).dropFirst(kept) { unsafe unlink(old) }
        return path
    }

    private static func split(_ path: String) -> (directory: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (String(path[..<slash]), String(path[path.index(after: slash)...]))
    }
}
