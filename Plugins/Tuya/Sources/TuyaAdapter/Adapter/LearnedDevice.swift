import JSON
import TuyaProtocol

/// What a device has shown of itself and nobody has written down; kept, so that the next start begins with it.
struct LearnedDevice: Equatable, Sendable {
    /// A protocol version that worked.
    var version: ProtocolVersion?
    /// Types of data points without a schema.
    var points: [Int: SeenType] = [:]

    /// The most data points that are kept of a device.
    static let pointLimit = 64

    var isEmpty: Bool { version == nil && points.isEmpty }

    /// `{"v":"3.4","p":{"20":"bool"}}`.
    var json: JSON {
        var object = JSONObject()
        if let version { object["v"] = .string(version.text) }
        var types = JSONObject()
        for (id, type) in points.sorted(by: { $0.key < $1.key }) { types["\(id)"] = .string(type.rawValue) }
        if !types.isEmpty { object["p"] = .object(types) }
        return .object(object)
    }

    init() {}

    /// Reads what ``json`` wrote; what makes no sense is left out.
    init(json: JSON) {
        if let text = json["v"]?.stringValue {
            let version = ProtocolVersion(text: text)
            if version.isSupported { self.version = version }
        }
        for (key, value) in json["p"]?.objectValue ?? JSONObject() {
            guard let id = Int(key), let type = value.stringValue.flatMap(SeenType.init(rawValue:)) else { continue }
            points[id] = type
        }
    }
}
