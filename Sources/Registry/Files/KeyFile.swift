internal import Crypto
import Glibc

/// Where the key that seals secrets comes from: a systemd credential, or `registry.key` beside the database.
///
/// Both hold 64 hexadecimal digits; a credential may also hold the 32 bytes themselves.
struct KeyFile {
    /// The file that was read, for messages.
    let path: String
    let key: SecretKey

    private static let length = 32

    /// Finds the key.
    ///
    /// A credential wins over the file. The file's mode is set to 0600 where it lets others read.
    ///
    /// - Parameter credentials: `$CREDENTIALS_DIRECTORY`, where systemd puts credentials.
    /// - Returns: nil where there is neither.
    static func find(
        directory: String,
        credentials: String?,
        notify: (RegistryNotice) -> Void
    ) throws(RegistryError) -> KeyFile? {
        if let credentials {
            let path = credentials + "/lintel-registry-key"
            if let file = try OpenFile(path, flags: O_RDONLY) { return try KeyFile(file) }
        }
        guard let file = try OpenFile(path(in: directory), flags: O_RDONLY) else { return nil }
        if try file.permissions() & 0o077 != 0 {
            let isFixed = fchmod(file.descriptor, 0o600) == 0
            notify(isFixed ? .keyPermissionsFixed(path: file.path) : .keyPermissionsOpen(path: file.path))
        }
        return try KeyFile(file)
    }

    /// Makes a key and its file; both survive a power cut when this returns.
    static func make(directory: String) throws(RegistryError) -> KeyFile {
        let path = path(in: directory)
        let temporary = path + ".new"
        let bytes: [UInt8]
        do { bytes = try SecureRandom.bytes(length) } catch { throw .crypto(detail: "\(error)") }
        unsafe unlink(temporary)
        guard let file = try OpenFile(temporary, flags: O_WRONLY | O_CREAT | O_EXCL) else {
            throw .inaccessible(path: temporary, detail: "it appeared while it was made")
        }
        do {
            try file.write(Hex.encodedBytes(bytes) + [UInt8(ascii: "\n")])
        } catch {
            unsafe unlink(temporary)
            throw error
        }
        try FileSystem.move(temporary, to: path)
        FileSystem.syncDirectory(directory)
        return KeyFile(path: path, key: SecretKey(bytes))
    }

    /// `registry.key` in a directory.
    static func path(in directory: String) -> String { directory + "/registry.key" }

    private init(path: String, key: SecretKey) {
        self.path = path
        self.key = key
    }

    private init(_ file: borrowing OpenFile) throws(RegistryError) {
        let content = try file.read(limit: 256)
        path = file.path
        if content.count == Self.length {
            key = SecretKey(content)
            return
        }
        let digits = content.prefix { Hex.digit($0) != nil }
        let rest = content.dropFirst(digits.count)
        guard digits.count == Self.length * 2,
            rest.allSatisfy({ $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }),
            let bytes = try? Hex.decode(digits)
        else { throw .keyMalformed(path: file.path) }
        key = SecretKey(bytes)
    }
}
