/// What a plugin gets of the gateway's environment.
package enum PluginEnvironment {
    private static let names: Set<String> = ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TZDIR"]

    /// The variables that may be passed on: a few harmless ones, and our own, `LINTEL_…`, unless their name is that of a
    /// secret, which the gateway's configuration may read from the environment.
    package static func allowed(of environment: [String: String]) -> [String: String] {
        let keys = SecretKeys()
        return environment.filter { name, _ in
            names.contains(name) || name.hasPrefix("LINTEL_") && !keys.contains(name)
        }
    }
}
