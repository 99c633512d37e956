import HomeModel
import JSON

/// A way to pair, with the plugin that has it.
struct MethodChoice: Equatable, Sendable {
    var plugin: String
    var method: PairingMethod

    /// Reads the answer to `pairing/methods`.
    static func list(_ data: JSON) -> [MethodChoice] {
        let flat = data["methods"]?.arrayValue ?? data.arrayValue ?? []
        var all = flat.compactMap { entry in entry["plugin"]?.stringValue.flatMap { choice($0, entry) } }
        for plugin in data["plugins"]?.arrayValue ?? [] {
            guard let id = (plugin["plugin"] ?? plugin["id"])?.stringValue else { continue }
            all += ((plugin["methods"] ?? plugin["pairing"])?.arrayValue ?? []).compactMap { choice(id, $0) }
        }
        return all
    }

    private static func choice(_ plugin: String, _ entry: JSON) -> MethodChoice? {
        let method = PairingMethod(json: entry["method"] ?? entry).map { MethodChoice(plugin: plugin, method: $0) }
        // Members that stand beside the method's id.
        guard var found = method, entry["method"]?.stringValue != nil else { return method }
        found.method.title = entry["title"]?.stringValue ?? found.method.title
        found.method.description = entry["description"]?.stringValue
        found.method.needs = (entry["needs"]?.arrayValue ?? []).compactMap(\.stringValue)
        found.method.form = entry["form"].flatMap(InputForm.init(json:))
        return found
    }

    /// The question which of several to take.
    static func form(_ choices: [MethodChoice], namesPlugins: Bool) -> InputForm {
        let options = choices.map { choice in
            let name = namesPlugins ? "\(choice.plugin): \(choice.method.title)" : choice.method.title
            let why = choice.method.description.map { " — \($0)" } ?? ""
            return InputField.Choice(choice.key, title: "\(name)\(why)")
        }
        return InputForm(
            title: "How shall the device be paired?",
            fields: [InputField("method", title: "Method", choices: options)]
        )
    }

    /// Its name in a list of all.
    var key: String { "\(plugin) \(method.id)" }
}
