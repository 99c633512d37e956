import HomeModel
import JSON

extension PairingMethod {
    /// The most methods of a plugin.
    static let maxCount = 32
    /// What a method may need.
    private static let knownNeeds: Set<String> = ["wifi", "cloud"]
    private static let knownKeys: Set<String> = ["id", "title", "description", "needs", "form"]

    /// Reads the member `pairing` of a manifest; absent is empty.
    ///
    /// - Parameter problems: gets everything that is wrong with it.
    static func list(_ value: JSON?, problems: inout [String]) -> [PairingMethod] {
        guard let value else { return [] }
        guard let elements = value.arrayValue, elements.count <= maxCount else {
            problems.append("\"pairing\" must be a list of at most \(maxCount) methods")
            return []
        }
        var methods: [PairingMethod] = []
        for (place, element) in elements.enumerated() {
            let key = "pairing[\(place)]"
            guard let method = PairingMethod(manifest: element, key, &problems) else { continue }
            if methods.contains(where: { $0.id == method.id }) {
                problems.append("\"\(key)\" has the id of another method, \(method.id)")
            }
            methods.append(method)
        }
        return methods
    }

    /// Keys of methods that this version of the gateway does not know.
    static func unknownKeys(_ value: JSON?) -> [String] {
        (value?.arrayValue ?? []).enumerated().flatMap { place, element in
            (element.objectValue ?? [:]).keys.filter { !knownKeys.contains($0) }.map { "pairing[\(place)].\($0)" }
        }
    }

    private init?(manifest element: JSON, _ key: String, _ problems: inout [String]) {
        guard element.stringValue != nil || element.objectValue != nil else {
            problems.append("\"\(key)\" must be the id of a method, or an object")
            return nil
        }
        let before = problems.count
        guard let id = element.stringValue ?? element["id"]?.stringValue, PluginID(id) != nil else {
            problems.append("\"\(key).id\" must be 1 to 63 characters of a-z, 0-9 and -, not beginning with -")
            return nil
        }
        let members = element.objectValue ?? [:]
        for (name, limit) in [("title", 64), ("description", 512)] {
            guard let value = members[name] else { continue }
            guard let text = value.stringValue, !text.isEmpty, text.count <= limit else {
                problems.append("\"\(key).\(name)\" must be text of 1 to \(limit) characters")
                continue
            }
        }
        if let needs = members["needs"] {
            let words = needs.arrayValue?.compactMap(\.stringValue).filter(Self.knownNeeds.contains)
            if words == nil || words?.count != needs.arrayValue?.count {
                problems.append("\"\(key).needs\" must be a list of wifi and cloud")
            }
        }
        if let form = members["form"], InputForm(json: form) == nil {
            problems.append("\"\(key).form\" must be a form: a title, and a schema of texts, integers and booleans")
        }
        guard problems.count == before else { return nil }
        self.init(json: element)
    }
}
