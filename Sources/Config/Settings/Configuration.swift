package import HomeModel

/// All that the gateway is told by its configuration file.
package struct Configuration: Sendable {
    package var mqtt = MQTTSettings()
    /// Where the registry and the plugins' state are kept.
    package var dataDirectory: String
    /// Folders with plugins, searched before the gateway's own.
    package var pluginDirectories: [String] = []
    package var log = LogSettings()
    package var limits = LimitSettings()
    /// Texts that requests may name instead of holding them, as `{"secret_ref": name}`.
    package var secrets = Secrets()
    package var wifi = WiFiSettings()
    /// Sections of plugins by id.
    package var plugins: [PluginID: PluginSettings] = [:]
    /// What the author should know, though nothing is wrong.
    package var warnings: [ConfigProblem] = []

    /// Every key of the gateway's own, as key paths without indices; the sample file documents each of them.
    package private(set) var knownKeys: Set<String> = []

    /// Reads and validates a file.
    ///
    /// - Throws: everything that is wrong with it.
    package static func load(path: String) throws(ConfigProblems) -> Configuration {
        switch FileReader.read(path, limit: 1 << 20) {
        case .failure(let fault):
            throw ConfigProblems([ConfigProblem(file: path, place: nil, message: fault.message)])
        case .success(let bytes):
            let slash = path.lastIndex(of: "/")
            let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
            return try parse(
                bytes,
                file: path,
                sources: SecretSources(directory: directory),
                isReadableByOthers: FileReader.isReadableByOthers(path)
            )
        }
    }

    /// Reads and validates the text of a file.
    ///
    /// - Parameter file: what to call it in problems.
    /// - Parameter sources: where relative paths start and variables are looked up.
    /// - Throws: everything that is wrong with it.
    package static func parse(
        _ bytes: [UInt8],
        file: String,
        sources: SecretSources,
        isReadableByOthers: Bool = false
    ) throws(ConfigProblems) -> Configuration {
        let problems = ProblemList(file: file, isReadableByOthers: isReadableByOthers)
        let root = NodeBuilder.build(bytes, problems: problems)
        // After a fault of syntax there is nothing to look at.
        if root == nil { try problems.throwIfAny() }
        let configuration = Configuration(root, problems, sources)
        try problems.throwIfAny()
        return configuration
    }

    private init(_ root: ConfigNode?, _ problems: ProblemList, _ sources: SecretSources) {
        var reader = SectionReader(root, at: ConfigPath(), problems, sources)
        var mqtt = reader.section("mqtt")
        self.mqtt = MQTTSettings(&mqtt)
        dataDirectory = reader.file("data_directory") ?? sources.absolute("./data")
        pluginDirectories = reader.files("plugin_directories") ?? []
        var log = reader.section("log")
        self.log = LogSettings(&log)
        var limits = reader.section("limits")
        self.limits = LimitSettings(&limits)
        secrets = NamedSecrets.read(reader.section("secrets"))
        var wifi = reader.section("wifi")
        self.wifi = WiFiSettings(&wifi)
        let plugins = reader.section("plugins")
        for member in plugins.allMembers() {
            guard let settings = PluginSettings(member, at: plugins.path, problems, sources) else { continue }
            self.plugins[settings.id] = settings
        }
        reader.finish()
        warnings = problems.warnings
        knownKeys = problems.knownKeys
    }
}
