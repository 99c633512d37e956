import EventLoop
import HomeModel
package import JSON
package import TuyaProtocol

/// A device in a list such as tinytuya's wizard writes.
package struct ImportEntry: Sendable, Equatable {
    /// Why an entry cannot be taken.
    package enum Problem: Error, Sendable, Equatable {
        case noID
        case noKey
        case badKey(LocalKey.Problem)
        case noHub
    }

    package var device: PairedDevice

    /// A device from elsewhere.
    package init(_ device: PairedDevice) { self.device = device }

    /// Reads one entry: `id`, `key`, `name`, `ip`, `version`, `product_id`, `category`, `mapping`, `node_id`, `parent`, `sub`.
    ///
    /// Source: protocol description, section 9.8.
    package init(_ json: JSON) throws(Problem) {
        guard let id = Self.text(json, "id") else { throw .noID }
        let isChild = json["sub"]?.boolValue == true
        var key: LocalKey?
        if let text = json["key"]?.stringValue, !text.isEmpty {
            do throws(LocalKey.Problem) { key = try LocalKey(text) } catch { if !isChild { throw .badKey(error) } }
        }
        if !isChild, key == nil { throw .noKey }
        var device = PairedDevice(id: id, key: isChild ? nil : key)
        if isChild {
            guard let hub = Self.text(json, "parent"), let child = Self.text(json, "node_id") else { throw .noHub }
            device.options["hub"] = .string(hub)
            device.options["cid"] = .string(child)
        }
        device.options["name"] = Self.text(json, "name").flatMap { DeviceName.cleaned($0) }.map { .string($0) }
        device.options["product"] = Self.text(json, "product_id").map { .string($0) }
        device.options["category"] = Self.text(json, "category").map { .string($0) }
        // A mapping that means nothing would only hide what the device reports by itself.
        if let mapping = json["mapping"], DeviceSchema(json: mapping) != nil { device.options["schema"] = mapping }
        device.hint = Self.text(json, "ip").flatMap { SocketAddress(ip: $0, port: 0) == nil ? nil : $0 }
        let version = Self.text(json, "version").map { ProtocolVersion(text: $0) }
        device.likelyVersion = version?.isSupported == true ? version : nil
        self.device = device
    }

    private static func text(_ json: JSON, _ key: String) -> String? {
        let text = json[key]?.stringValue ?? json[key]?.doubleValue.map { "\($0)" }
        guard let text, !text.isEmpty, text.utf8.count <= 256 else { return nil }
        return text
    }

    /// The devices of a list, or of an object with `devices`; nil where `json` is neither.
    package static func list(_ json: JSON) -> [(entry: Result<ImportEntry, Problem>, id: String, name: String)]? {
        guard let list = json.arrayValue ?? json["devices"]?.arrayValue else { return nil }
        return list.map { item in
            let entry: Result<ImportEntry, Problem>
            do throws(Problem) { entry = .success(try ImportEntry(item)) } catch { entry = .failure(error) }
            let name = item["name"]?.stringValue ?? ""
            return (entry, String((item["id"]?.stringValue ?? "").prefix(64)), String(name.prefix(64)))
        }
    }
}

extension ImportEntry.Problem {
    /// One sentence's end.
    package var words: String {
        switch self {
        case .noID: "it has no id"
        case .noKey: "it has no local key"
        case .badKey(let problem): "\(problem)"
        case .noHub: "it is a sub-device without its hub's id or its name there (parent, node_id)"
        }
    }
}
