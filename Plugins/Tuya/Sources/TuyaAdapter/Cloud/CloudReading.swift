import JSON
import TuyaProtocol

/// Reads what the cloud answers with; numbers and ids come as numbers or as text, depending on the request.
enum CloudReading {
    /// A whole number.
    static func number(_ json: JSON) -> Int? { json.intValue ?? json.stringValue.flatMap { Int($0) } }

    /// Text that is not empty.
    static func text(_ json: JSON?) -> String? {
        guard let text = json?.stringValue ?? json?.intValue.map(String.init), !text.isEmpty else { return nil }
        return text
    }

    static func homes(_ result: JSON?) -> [CloudHome]? {
        result?.arrayValue?.compactMap { entry in
            text(entry["home_id"] ?? entry["id"]).map { CloudHome(id: $0, name: text(entry["name"]) ?? $0) }
        }
    }

    /// The devices of a list; whatever the list is called.
    static func devices(_ result: JSON?) -> [CloudDevice]? {
        let list = result?.arrayValue ?? result?["devices"]?.arrayValue ?? result?["list"]?.arrayValue
        return list?.compactMap(device)
    }

    /// The user whom an entry of a list belongs to.
    static func owner(_ entry: JSON) -> String? { text(entry["uid"]) }

    static func device(_ entry: JSON) -> CloudDevice? {
        guard let id = text(entry["id"] ?? entry["device_id"]) else { return nil }
        var device = CloudDevice(id: id, name: text(entry["custom_name"]) ?? text(entry["name"]) ?? id)
        // Sub-devices have keys of other lengths, which nobody needs.
        device.localKey = text(entry["local_key"]).flatMap { try? LocalKey($0) }
        device.productID = text(entry["product_id"])
        device.productName = text(entry["product_name"])
        device.category = text(entry["category"])
        device.address = text(entry["ip"])
        device.version = text(entry["version"] ?? entry["pv"]).flatMap { text in
            let version = ProtocolVersion(text: text)
            return version.isSupported ? version : nil
        }
        device.uuid = text(entry["uuid"])
        device.nodeID = text(entry["node_id"])
        device.gatewayID = text(entry["gateway_id"])
        device.isSubDevice = entry["sub"]?.boolValue ?? (device.nodeID != nil)
        device.isOnline = (entry["online"] ?? entry["is_online"])?.boolValue
        device.home = text(entry["owner_id"] ?? entry["home_id"])
        return device
    }

    /// Data points in the short form that the settings of a device keep; nil where there are none.
    static func specification(_ reply: JSON) -> JSON? { DeviceSchema(json: reply).map(\.json) }
}
