package import JSON
import TuyaProtocol

/// What a device in its hotspot says of itself, in its beacon or when asked.
package struct HotspotDevice: Equatable, Sendable {
    package var uuid: String?
    /// 0 while it waits to be paired.
    package var active: Int?
    /// 0 to 3.
    package var securityLevel: Int?
    /// Whether it says that it knows the new process.
    package var offersPlus: Bool
    /// The version of its system, where it tells one.
    package var system: TuyaOSVersion?

    /// Reads a beacon's fields, or `data` of a device's description.
    package init(fields: JSONObject) {
        uuid = fields["uuid"]?.stringValue.flatMap { $0.isEmpty ? nil : String($0.prefix(64)) }
        active = fields["active"]?.intValue
        securityLevel = fields["sl"]?.intValue
        offersPlus = fields["apConfigType"] != nil
        system = TuyaOSVersion(in: fields)
    }

    /// Reads the answer to ``HotspotRequest/describeDevice``; nil where it is none.
    package init?(answer body: [UInt8]) {
        guard let json = DeviceAnswer.read(body, type: "query_dev_rpt"), let data = json["data"]?.objectValue else {
            return nil
        }
        self.init(fields: data)
    }
}

/// Reads answers of the new process.
enum DeviceAnswer {
    /// Whether this is the answer to another question, asked by somebody who has gone since.
    static func isStray(_ body: [UInt8], expecting type: String) -> Bool {
        ["query_dev_rpt", "wifi_list_rpt", "netcfg_stat_rpt"].contains { known in
            // Lists are not always JSON, so that the name is looked for as it stands.
            known != type && body.contains([UInt8](known.utf8))
        }
    }

    /// The answer, if it is JSON of this type.
    static func read(_ body: [UInt8], type: String) -> JSON? {
        let text = body.last == 0 ? Array(body.prefix { $0 != 0 }) : body
        guard let json = try? JSON.parse(text), json["reqType"]?.stringValue == type else { return nil }
        return json
    }
}
