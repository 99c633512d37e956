internal import HomeModel

/// Whose a secret is, as it stands in the `secrets` table.
enum SecretOwner: Hashable {
    case device(DeviceID)
    case plugin(PluginID)
    /// The registry itself.
    case registry

    /// `device:<id>`, `plugin:<id>` or `registry`.
    var text: String {
        switch self {
        case .device(let id): "device:\(id.text)"
        case .plugin(let id): "plugin:\(id.text)"
        case .registry: "registry"
        }
    }

    init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        switch (parts.first, parts.dropFirst().first) {
        case ("device", let id?): if let id = DeviceID(id) { self = .device(id) } else { return nil }
        case ("plugin", let id?): if let id = PluginID(id) { self = .plugin(id) } else { return nil }
        case ("registry", nil): self = .registry
        default: return nil
        }
    }
}
