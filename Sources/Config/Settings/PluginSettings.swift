package import HomeModel
package import JSON

/// A plugin's section: what the gateway needs to know, and the rest, which is the plugin's own.
package struct PluginSettings: Sendable {
    package let id: PluginID
    /// Whether the plugin is started.
    package let isEnabled: Bool
    package let limits: PluginLimits
    /// The plugin's own keys.
    package let section: ConfigNode

    private let file: String
    private let isReadableByOthers: Bool
    private let sources: SecretSources

    /// Keys of the section that are the gateway's, not the plugin's.
    package static let reservedKeys = ["enabled", "limits"]

    /// The plugin's own keys by YAML's core schema, for a plugin without a schema; may hold secrets, never log it.
    package var json: JSON { section.json }

    /// The plugin's own keys, checked against its schema, with secrets followed to where they are.
    ///
    /// - Throws: everything that is wrong, with its line.
    package func checked(against schema: ConfigSchema) throws(ConfigProblems) -> CheckedSection {
        var check = SchemaCheck(schema, sources: sources)
        let value = check.check(section)
        let problems = check.problems.map { problem(at: $0.path, $0.place, $0.message) }
        guard problems.isEmpty else { throw ConfigProblems(problems) }
        let warnings =
            isReadableByOthers
            ? check.secretsInPlace.map { path, place in problem(at: path, place, ProblemList.openSecret) } : []
        return CheckedSection(
            json: value.json,
            redacted: value.redacted,
            secretValues: check.secretValues,
            warnings: warnings
        )
    }

    /// A problem that the plugin itself found, with the line of the key that it names.
    ///
    /// - Parameter path: the way from the plugin's section, such as `devices[0].local_key`.
    package func problem(at path: String, message: String) -> ConfigProblem {
        let path = ConfigPath(parsing: path)
        return problem(at: path, section.nearest(to: path).place, message)
    }

    private func problem(at path: ConfigPath, _ place: Place?, _ message: String) -> ConfigProblem {
        let whole = ConfigPath([.key("plugins"), .key(id.text)] + path.steps)
        return ConfigProblem(file: file, place: place, path: whole, message: message)
    }

    /// Reads a member of `plugins`.
    init?(_ member: ConfigNode.Member, at path: ConfigPath, _ problems: ProblemList, _ sources: SecretSources) {
        let path = path.appending(member.key)
        guard let id = PluginID(member.key) else {
            problems.add("a plugin's name has a-z, 0-9 and - only", at: path, member.keyPlace)
            return nil
        }
        var reader = SectionReader(member.value, at: path, problems, sources)
        isEnabled = reader.bool("enabled") ?? true
        var limits = reader.section("limits")
        self.limits = PluginLimits(&limits)
        let own = reader.allMembers().filter { !Self.reservedKeys.contains($0.key) }
        section = ConfigNode(.mapping(own), at: member.value.place)
        self.id = id
        self.sources = sources
        file = problems.file
        isReadableByOthers = problems.isReadableByOthers
    }
}
