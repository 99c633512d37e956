import Config
import HomeModel
import JSON
import PluginHost
import PluginWire

/// Where plugins are, and their sections checked against their own schemas.
enum PluginFolders {
    /// The folder that this program is in; programs of the same build lie beside it.
    static let ownFolder: String = {
        let path = Files.resolved("/proc/self/exe") ?? CommandLine.arguments.first ?? "."
        return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }()

    /// The folders that plugins are looked for in: the configured ones, then the usual ones that exist.
    static func folders(_ configuration: Configuration) -> [String] {
        let usual = [
            "\(ownFolder)/../lib/lintel/plugins", "\(ownFolder)/../../Plugins", "\(ownFolder)/../../../Plugins",
        ]
        return configuration.pluginDirectories + usual.filter(Files.isFolder)
    }

    /// All plugins in those folders.
    static func catalog(_ configuration: Configuration) -> PluginCatalog {
        PluginCatalog.search(folders: folders(configuration), executables: [ownFolder])
    }

    /// A plugin's section, checked against the plugin's `config.schema.json` where it has one.
    ///
    /// - Throws: `ConfigProblems`, or ``Failure`` where the schema itself is broken.
    static func checked(_ settings: PluginSettings, _ plugin: PluginCatalog.Plugin) throws -> CheckedSection {
        try settings.checked(against: try schema(of: plugin))
    }

    private static func schema(of plugin: PluginCatalog.Plugin) throws -> ConfigSchema {
        guard let name = plugin.manifest.configSchema else { return try ConfigSchema(.object([:])) }
        let path = "\(plugin.folder)/\(name)"
        guard let bytes = Files.read(path, limit: 1 << 20) else {
            throw Failure(.configuration, "The schema \(path) cannot be read.")
        }
        do throws(SchemaFault) {
            return try ConfigSchema(bytes: bytes)
        } catch {
            throw Failure(.configuration, "The schema \(path) is broken: \(error).")
        }
    }
}
