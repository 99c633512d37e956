/// Where plugins are, and what they get.
package struct PluginHostSettings: Sendable {
    /// Folders with plugin folders, in order of precedence.
    package var folders: [String]
    /// Where bare executable names are looked for when they are not in the plugin's folder, such as a build's products.
    package var executables: [String] = []
    /// The gateway's data; a plugin gets `plugins/<id>` in it, made at its first start.
    package var dataDirectory: String
    /// The gateway's version, for the plugins' logs.
    package var gatewayVersion: String
    /// The gateway's own environment, of which plugins get a part.
    package var environment: [String: String]
    /// How patient the supervisors are.
    package var times = SupervisionTimes()

    package init(folders: [String], dataDirectory: String, gatewayVersion: String, environment: [String: String]) {
        self.folders = folders
        self.dataDirectory = dataDirectory
        self.gatewayVersion = gatewayVersion
        self.environment = environment
    }
}
