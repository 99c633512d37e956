internal import EventLoop
package import JSON
internal import TLS
internal import TuyaProtocol

extension HotspotPlan {
    /// The `index`th of several devices, from 0 on: with an id, a name and addresses of its own.
    package init(index: Int) {
        self.init()
        guard index > 0 else { return }
        let digits = String(index % 100)
        uuid = String(uuid.dropLast(2)) + (digits.count == 1 ? "0" : "") + digits
        name = "Lamp \(index + 1)"
        ssid = "SmartLife-" + String(0x3F2A + index, radix: 16, uppercase: true)
        address = SocketAddress(ipv4: 0x7F4D_0001 + UInt32(index % 250), port: 0)
        lanAddress = SocketAddress(ipv4: 0x7F4D_0102 + UInt32(index % 250), port: 6668)
    }

    /// Takes over what an object says; what it does not name stays.
    package mutating func read(_ object: JSONObject) throws(HotspotPlanError) {
        for (key, value) in object {
            let reader = PlanValue(key: key, value: value)
            // `||` would lose the type of what is thrown.
            if try readDevice(key, reader) { continue }
            if try readHotspot(key, reader) { continue }
            if try readFirmware(key, reader) { continue }
            if try readTime(key, reader) { continue }
            guard try readTrouble(key, reader) else { throw .unknown(key: key) }
        }
    }

    private mutating func readDevice(_ key: String, _ reader: PlanValue) throws(HotspotPlanError) -> Bool {
        switch key {
        case "habit": habit = try reader.word(HotspotHabit.self)
        case "name": name = try reader.text()
        case "uuid": uuid = try reader.text()
        case "type":
            let type = try reader.word(LightType.self)
            product = .light(type)
        case "version":
            version = ProtocolVersion(text: try reader.text())
            guard version.isSupported else { throw .value(key: key, takes: "3.1 to 3.5") }
        case "networks":
            networks = []
            for entry in try reader.array() { networks.append(try ScriptedNetwork(entry)) }
        case "lan": try readLAN(try reader.object())
        default: return false
        }
        return true
    }

    private mutating func readHotspot(_ key: String, _ reader: PlanValue) throws(HotspotPlanError) -> Bool {
        switch key {
        case "ssid": ssid = try reader.text()
        case "address": address = try reader.address(port: 0)
        case "announce_to": announcementTarget = try reader.address(port: 0)
        case "announce_interval_ms": announcementInterval = try reader.duration()
        case "ports":
            for (name, value) in try reader.object() {
                let port = try PlanValue(key: name, value: value).port()
                switch name {
                case "channel": ports.channel = port
                case "pincode": ports.pincode = port
                case "announcement": ports.announcement = port
                case "clear_announcement": ports.clearAnnouncement = port
                case "legacy": ports.legacy = port
                default: throw .unknown(key: name)
                }
            }
        case "station":
            for (name, value) in try reader.object() {
                let reader = PlanValue(key: name, value: value)
                switch name {
                case "interface": stationInterface = try reader.text()
                case "address": stationAddress = try reader.address(port: 0).ip
                case "prefix": stationPrefix = try reader.number(0...32)
                default: throw .unknown(key: name)
                }
            }
        default: return false
        }
        return true
    }

    private mutating func readFirmware(_ key: String, _ reader: PlanValue) throws(HotspotPlanError) -> Bool {
        switch key {
        case "pincode": pincode = try reader.optional { reader throws(HotspotPlanError) in try reader.text() }
        case "security_level": securityLevel = try reader.number(0...3)
        case "reports_failures": reportsFailures = try reader.flag()
        case "lists_networks": listsNetworks = try reader.flag()
        case "fields": extraFields = try reader.object()
        case "fragment":
            let bytes = try reader.number(512...4096)
            guard let length = TLSFragmentLength.allCases.first(where: { $0.bytes == bytes }) else {
                throw .value(key: key, takes: "512, 1024, 2048 or 4096")
            }
            fragmentLength = length
        default: return false
        }
        return true
    }

    private mutating func readTime(_ key: String, _ reader: PlanValue) throws(HotspotPlanError) -> Bool {
        switch key {
        case "scan_ms": scanTime = try reader.duration()
        case "join_ms": joinTime = try reader.duration()
        case "activation_ms": activationTime = try reader.duration()
        case "refusal_return_ms": refusalReturn = try reader.duration()
        case "returns_after_ms":
            returnsAfter = try reader.optional { reader throws(HotspotPlanError) in try reader.duration() }
        case "confirms_after_ms":
            confirmsAfter = try reader.optional { reader throws(HotspotPlanError) in try reader.duration() }
        default: return false
        }
        return true
    }

    private mutating func readTrouble(_ key: String, _ reader: PlanValue) throws(HotspotPlanError) -> Bool {
        switch key {
        case "loses_answer": losesAnswer = try reader.flag()
        case "silent": isSilent = try reader.flag()
        case "starts_handshake": startsHandshake = try reader.flag()
        default: return false
        }
        return true
    }

    private mutating func readLAN(_ object: JSONObject) throws(HotspotPlanError) {
        for (key, value) in object {
            let reader = PlanValue(key: key, value: value)
            switch key {
            case "address": lanAddress = try reader.address(port: lanAddress.port)
            case "port": lanAddress = lanAddress.with(port: try reader.port())
            case "announces": announcesItself = try reader.flag()
            case "announce_to": beacons.target = try reader.address(port: 0)
            case "announce_interval_ms": beacons.interval = try reader.duration()
            case "ports":
                for (name, value) in try reader.object() {
                    let port = try PlanValue(key: name, value: value).port()
                    switch name {
                    case "clear": beacons.ports.clear = port
                    case "encrypted": beacons.ports.encrypted = port
                    case "query": beacons.ports.query = port
                    default: throw .unknown(key: name)
                    }
                }
            default: throw .unknown(key: key)
            }
        }
    }
}

extension ScriptedNetwork {
    init(_ json: JSON) throws(HotspotPlanError) {
        self.init(ssid: "")
        var saysSecurity = false
        for (key, value) in try PlanValue(key: "networks", value: json).object() {
            let reader = PlanValue(key: key, value: value)
            switch key {
            case "ssid": ssid = try reader.text()
            case "password": password = try reader.text()
            case "signal": signal = try reader.number(-200...0)
            case "security":
                security = try reader.number(0...255)
                saysSecurity = true
            case "outcome": outcome = try reader.word(JoinOutcome.self)
            case "hidden": isHidden = try reader.flag()
            default: throw .unknown(key: key)
            }
        }
        if !saysSecurity { security = password.isEmpty ? 0 : 4 }
    }
}
