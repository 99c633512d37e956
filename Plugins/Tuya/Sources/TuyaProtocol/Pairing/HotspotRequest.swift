internal import JSON

/// What a hub asks a device in its hotspot, under ``Command/hotspotExtension``.
///
/// Source: protocol description, section 8.4.
package enum HotspotRequest: Equatable, Sendable {
    case describeDevice
    /// At most `limit` networks; the scan takes seconds.
    case listNetworks(limit: Int)
    case describeProgress

    /// The JSON that is sent.
    package var body: [UInt8] {
        let object: JSONObject =
            switch self {
            case .describeDevice: ["reqType": "query_dev"]
            case .listNetworks(let limit): ["reqType": "get_wifi_list", "data": ["cnt": JSON(limit)]]
            case .describeProgress: ["reqType": "query_netcfg_stat"]
            }
        return JSON.object(object).serialized()
    }
}
