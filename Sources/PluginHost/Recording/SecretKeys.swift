/// Which keys name a secret.
struct SecretKeys: Sendable {
    /// Parts of keys, without their separators, that name secrets in every vendor's words.
    private static let parts = [
        "password", "passwd", "passphrase", "secret", "token", "credential", "verificationcode", "verifycode",
        "authorization", "cookie",
    ]
    private static let whole: Set<String> = ["psk", "pin", "pincode", "pwd", "pass", "auth"]

    /// Further keys, from a plugin's manifest.
    private var declared: Set<String>

    /// Takes the keys that a manifest names.
    init(declared: [String] = []) {
        self.declared = Set(declared.map(Self.plain))
    }

    /// Whether the value under a key is not to be shown.
    func contains(_ key: String) -> Bool {
        let plain = Self.plain(key)
        if declared.contains(plain) || Self.whole.contains(plain) { return true }
        // `local_key` and `appKey` are secrets; the `key` of a stored value is not.
        if plain.hasSuffix("key"), plain != "key" { return true }
        return Self.parts.contains { plain.contains($0) }
    }

    /// Takes further keys.
    mutating func add(_ keys: [String]) { declared.formUnion(keys.map(Self.plain)) }

    /// Lower case, without separators.
    private static func plain(_ key: String) -> String {
        String(key.lowercased().filter { $0 != "_" && $0 != "-" && $0 != "." && $0 != " " })
    }
}
