import HomeModel
public import JSON

extension PluginManifest {
    /// The longest manifest, in bytes.
    public static let maxBytes = 64 << 10

    /// Reads a `plugin.json`.
    ///
    /// - Throws: everything that is wrong with it, not only the first.
    public init(bytes: [UInt8]) throws(ManifestFault) {
        let json: JSON
        do {
            json = try JSON.parse(
                bytes,
                limits: JSONLimits(maxDepth: 16, maxBytes: Self.maxBytes, duplicateKeys: .reject)
            )
        } catch {
            throw ManifestFault(problems: ["it is not JSON: \(error)"])
        }
        try self.init(json: json)
    }

    /// Reads a manifest's JSON.
    ///
    /// - Throws: everything that is wrong with it, not only the first.
    public init(json: JSON) throws(ManifestFault) {
        guard let members = json.objectValue else { throw ManifestFault(problems: ["it is no object"]) }
        var reader = ManifestReader(members: members)
        let id = reader.id()
        let name = reader.text("name", upTo: 64)
        let version = reader.text("version", upTo: 64)
        let protocols = reader.protocols()
        let executable = reader.relativePath("executable")
        let arguments = reader.texts("arguments")
        let vendor = reader.text("vendor", upTo: 64)
        let summary = reader.text("description", upTo: 256)
        let configSchema = members["configSchema"] == nil ? nil : reader.relativePath("configSchema")
        let secrets = reader.texts("secrets")
        let pairing = reader.pairing()
        let needs = reader.needs()
        guard let id, let name, let version, let executable, let vendor, let summary, reader.problems.isEmpty else {
            throw ManifestFault(problems: reader.problems)
        }
        self.init(
            id: id,
            name: name,
            version: version,
            protocols: protocols,
            executable: executable,
            arguments: arguments,
            vendor: vendor,
            summary: summary,
            configSchema: configSchema,
            secrets: secrets,
            pairing: pairing,
            needs: needs,
            unknownKeys: members.keys.filter { !Self.knownKeys.contains($0) }
                + PairingMethod.unknownKeys(members["pairing"])
        )
    }

    private static let knownKeys: Set<String> = [
        "id", "name", "version", "protocols", "executable", "arguments", "vendor", "description", "configSchema",
        "secrets", "pairing", "needs",
    ]
}

/// Reads members and gathers what is wrong.
private struct ManifestReader {
    let members: JSONObject
    var problems: [String] = []

    init(members: JSONObject) { self.members = members }

    mutating func id() -> PluginID? {
        if let id = members["id"]?.stringValue.flatMap(PluginID.init) { return id }
        problems.append("\"id\" must be 1 to 63 characters of a-z, 0-9 and -, not beginning with -")
        return nil
    }

    mutating func text(_ key: String, upTo limit: Int) -> String? {
        guard let text = members[key]?.stringValue, !text.isEmpty, text.count <= limit else {
            problems.append("\"\(key)\" must be text of 1 to \(limit) characters")
            return nil
        }
        return text
    }

    mutating func texts(_ key: String) -> [String] {
        guard let value = members[key] else { return [] }
        let texts = value.arrayValue?.compactMap(\.stringValue) ?? []
        if texts.count != value.arrayValue?.count || texts.contains(where: { $0.contains("\0") }) {
            problems.append("\"\(key)\" must be a list of texts")
        }
        return texts
    }

    mutating func pairing() -> [PairingMethod] { PairingMethod.list(members["pairing"], problems: &problems) }

    mutating func protocols() -> ProtocolRange {
        let list = members["protocols"]?.arrayValue ?? []
        let versions = list.compactMap(\.intValue).filter { $0 > 0 }
        if versions.isEmpty || versions.count != list.count {
            problems.append("\"protocols\" must be a list of versions, such as [1]")
        }
        return ProtocolRange(versions: versions)
    }

    /// A path that stays in the manifest's folder.
    mutating func relativePath(_ key: String) -> String? {
        let path = members[key]?.stringValue ?? ""
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !path.isEmpty, !path.contains("\0"), !parts.contains(".."), !parts.contains("") else {
            problems.append("\"\(key)\" must be a path inside the plugin's folder")
            return nil
        }
        return path
    }

    mutating func needs() -> PluginManifest.Needs {
        var needs = PluginManifest.Needs()
        guard let value = members["needs"] else { return needs }
        guard let object = value.objectValue else {
            problems.append("\"needs\" must be an object")
            return needs
        }
        if let network = object["network"] {
            if let known = network.stringValue.flatMap(PluginManifest.Network.init(rawValue:)) {
                needs.network = known
            } else {
                problems.append("\"needs.network\" must be none, lan or internet")
            }
        }
        if let wifi = object["wifi"] {
            if let wifi = wifi.boolValue {
                needs.wifi = wifi
            } else {
                problems.append("\"needs.wifi\" must be true or false")
            }
        }
        return needs
    }
}
