import JSON

/// What must be known to bring the radio back; never a passphrase.
struct MoveRecord: Equatable, Sendable {
    /// A network that was configured before.
    struct Known: Equatable, Sendable {
        /// Its number or id, as the way calls it.
        var id: String
        /// Whether it took part.
        var isEnabled: Bool
    }

    /// How it was moved: ``WiFiWay/name``.
    var way: String
    /// The session that it was moved for.
    var session: String
    /// The network that it went to.
    var ssid: String
    /// The radio's interface, where known.
    var interface: String?
    /// The connection that it had, as the way calls it; nil for none.
    var previous: String?
    /// The profile that was made for the move, as the way calls it.
    var profile: String?
    /// The address that it got in the network, as `192.168.4.2/24`; nil as long as it has not joined.
    var joined: String?
    /// The networks that were configured before.
    var known: [Known] = []
    /// The addresses that the interface had, as `192.168.1.7/24`.
    var addresses: [String] = []
    /// The gateway of the default route over the interface, where there was one.
    var gateway: String?
    /// The metric of that route.
    var metric: Int?
    /// The machine's boot; addresses are only put back in the same one.
    var boot: String?
    /// Marks the programs of the move.
    var token = String(UInt64.random(in: 0...UInt64.max), radix: 16)
}

extension MoveRecord {
    /// The journal's content.
    var json: JSON {
        var object: JSONObject = ["version": 1, "way": .string(way), "session": .string(session)]
        object["ssid"] = .string(ssid)
        object["interface"] = interface.map { .string($0) }
        object["previous"] = previous.map { .string($0) }
        object["profile"] = profile.map { .string($0) }
        object["joined"] = joined.map { .string($0) }
        object["known"] = .array(known.map { ["id": .string($0.id), "enabled": .bool($0.isEnabled)] })
        object["addresses"] = .array(addresses.map { .string($0) })
        object["gateway"] = gateway.map { .string($0) }
        object["metric"] = metric.map { .integer(Int64($0)) }
        object["boot"] = boot.map { .string($0) }
        object["token"] = .string(token)
        return .object(object)
    }

    /// Reads the form that ``json`` writes; nil where it is none.
    init?(json: JSON) {
        guard let way = json["way"]?.stringValue, let ssid = json["ssid"]?.stringValue else { return nil }
        self.init(way: way, session: json["session"]?.stringValue ?? "", ssid: ssid)
        interface = json["interface"]?.stringValue
        previous = json["previous"]?.stringValue
        profile = json["profile"]?.stringValue
        joined = json["joined"]?.stringValue
        known = (json["known"]?.arrayValue ?? []).compactMap { entry in
            entry["id"]?.stringValue.map { Known(id: $0, isEnabled: entry["enabled"]?.boolValue ?? true) }
        }
        addresses = (json["addresses"]?.arrayValue ?? []).compactMap(\.stringValue)
        gateway = json["gateway"]?.stringValue
        metric = json["metric"]?.intValue.map { Int($0) }
        boot = json["boot"]?.stringValue
        token = json["token"]?.stringValue ?? token
    }
}
