internal import EventLoop
internal import JSON
package import TuyaProtocol

/// The new pairing process as a device carries it out, without sockets: a TLS record's bytes in, its reaction out.
///
/// - Source: tuya-ap-plus.md sections 4.4 and 4.5.
package struct HotspotResponder {
    /// The smallest frame; fewer bytes are lost.
    private static let smallestFrame = 50
    private static let headerCount = 18
    private static let prefix: [UInt8] = [0x00, 0x00, 0x66, 0x99]

    package var plan: HotspotPlan
    /// The device's number for what failed the last time; 0 where nothing did.
    package var lastFailure = 0
    private let codec: HotspotCodec

    package init(_ plan: HotspotPlan) throws(TuyaProtocolError) {
        self.plan = plan
        codec = try HotspotCodec()
    }

    /// What the device does about the bytes of one TLS record, of which it reads one frame.
    package func reaction(to record: [UInt8]) -> HotspotReaction {
        guard let start = Self.start(in: record), record.count - start >= Self.smallestFrame else {
            return .silence("no frame in \(record.count) bytes")
        }
        let rest = [UInt8](record[start...])
        let command = Command(rawValue: Self.number(rest, at: 10))
        let total = Self.headerCount + Int(Self.number(rest, at: 14)) + 4
        guard total <= rest.count, let frame = try? codec.readRequest([UInt8](rest[..<total])) else {
            // A frame over two records, a wrong key and a wrong end look the same.
            return answer(command, 1, [])
        }
        switch frame.command {
        case .hotspotCredentials: return credentials(frame.payload)
        case .hotspotExtension: return request(frame.payload)
        default: return .silence("command \(frame.command)")
        }
    }

    /// What the device announces, and answers when it is asked who it is; the vendor's blanks among it.
    package var description: String {
        var text = #"{"ip":"\#(plan.address.ip)", "uuid":"\#(plan.uuid)", "active":0,"version":"3.5","#
        text += #""sl":\#(plan.securityLevel),"apConfigType":1,"CombosFlag":8}"#
        guard !plan.extraFields.isEmpty, var object = (try? JSON.parse(text))?.objectValue else { return text }
        // Null takes a field out; a bare `nil` would be JSON's null.
        for (name, value) in plan.extraFields { object[name] = value.isNull ? .none : value }
        return JSON.object(object).text
    }

    // MARK: Requests

    private func credentials(_ body: [UInt8]) -> HotspotReaction {
        guard let credentials = HotspotCredentials(body, securityLevel: plan.securityLevel) else {
            return answer(.hotspotCredentials, -9, [])
        }
        guard let frame = frame(.hotspotCredentials, 0, []) else { return .silence("no frame") }
        return .leave(credentials, answer: frame)
    }

    private func request(_ body: [UInt8]) -> HotspotReaction {
        guard let json = try? JSON.parse(body), let kind = json["reqType"]?.stringValue else {
            return .silence("no reqType")
        }
        switch kind {
        case "query_dev":
            return answer(#"{"reqType":"query_dev_rpt","data":\#(description)}"#)
        case "get_wifi_list":
            guard plan.listsNetworks else { break }
            guard let count = json["data"]?["cnt"] else { return .silence("no cnt") }
            let list = networkList(limit: count.intValue ?? 0)
            guard let frame = frame(.hotspotExtension, 0, [UInt8](list.utf8)) else { return .silence("too long") }
            return .scan(answer: frame)
        case "query_netcfg_stat":
            let status = plan.reportsFailures ? lastFailure : 0
            return answer(#"{"reqType":"netcfg_stat_rpt","data":{"type":1,"stage":2,"status":\#(status)}}"#)
        default: break
        }
        return answer(.hotspotExtension, 0, [])
    }

    /// The list in the order of the scan, cut where a frame is full; names go in as they are, without any escape.
    private func networkList(limit: Int) -> String {
        let (head, tail) = (#"{"reqType":"wifi_list_rpt","data":{"wifi_list":["#, "]}}")
        // What a frame holds beside its body: header, nonce, return code, tag, end.
        let room = HotspotCodec.maximumFrame - Self.smallestFrame - 4 - head.utf8.count - tail.utf8.count
        var entries = ""
        var count = 0
        for network in plan.networks where !network.ssid.isEmpty && !network.isHidden {
            if limit >= 0, count >= limit { break }
            let comma = count == 0 ? "" : ","
            let entry = #"\#(comma){"ssid":"\#(network.ssid)","rssi":\#(network.signal),"sec":\#(network.security)}"#
            guard entries.utf8.count + entry.utf8.count <= room else { break }
            entries += entry
            count += 1
        }
        return head + entries + tail
    }

    // MARK: Frames

    private func answer(_ text: String) -> HotspotReaction { answer(.hotspotExtension, 0, [UInt8](text.utf8)) }

    private func answer(_ command: Command, _ code: Int32, _ body: [UInt8]) -> HotspotReaction {
        frame(command, code, body).map { .answer($0) } ?? .silence("no frame")
    }

    private func frame(_ command: Command, _ code: Int32, _ body: [UInt8]) -> [UInt8]? {
        try? codec.answer(command, returnCode: code, body: body)
    }

    /// Where the first prefix stands; what is before it is skipped.
    private static func start(in bytes: [UInt8]) -> Int? {
        guard bytes.count >= prefix.count else { return nil }
        return (0...(bytes.count - prefix.count)).first { bytes[$0..<($0 + prefix.count)].elementsEqual(prefix) }
    }

    private static func number(_ bytes: [UInt8], at offset: Int) -> UInt32 {
        bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
