internal import HomeModel
internal import JSON

/// `plugin_values`: the small store that each plugin has for itself.
enum PluginValueTable {
    /// Keeps a value; nil removes it.
    static func put(
        _ value: JSON?,
        plugin: PluginID,
        key: String,
        _ connection: borrowing Connection
    ) throws(RegistryError) {
        guard let value else {
            return try connection.run(
                "DELETE FROM plugin_values WHERE plugin = ? AND key = ?",
                .text(plugin.text),
                .text(key)
            )
        }
        try connection.run(
            "INSERT OR REPLACE INTO plugin_values (plugin, key, value) VALUES (?, ?, ?)",
            .text(plugin.text),
            .text(key),
            .text(value.text)
        )
    }

    static func value(
        plugin: PluginID,
        key: String,
        _ connection: borrowing Connection
    ) throws(RegistryError) -> JSON? {
        let bytes = try connection.first(
            "SELECT value FROM plugin_values WHERE plugin = ? AND key = ?",
            .text(plugin.text),
            .text(key)
        ) { row throws(RegistryError) in row.bytes(0) }
        return bytes.flatMap { try? JSON.parse($0) }
    }
}
