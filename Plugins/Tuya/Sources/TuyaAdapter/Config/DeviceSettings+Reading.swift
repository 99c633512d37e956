import EventLoop
import HomeModel
import JSON
import TuyaProtocol

extension DeviceSettings {
    /// The secret's name in the registry and in the configuration.
    package static let localKeyName = "local_key"

    /// Reads a device of the configuration.
    ///
    /// - Returns: nil without a usable id; what else is wrong is noted in `reader`.
    init?(_ reader: inout ConfigReader) {
        let id = reader.text("id")
        if id == nil, reader.problems.isEmpty { reader.add("id", "is missing: the device id that the vendor gave it") }
        self.init(id: id ?? "")
        localKey = Self.localKey(&reader)
        readOptions(&reader)
        if hub == nil, localKey == nil, reader.problems.isEmpty {
            reader.add(Self.localKeyName, "is missing: without its local key nobody can talk to the device")
        }
        reader.refuseOtherKeys()
        if id == nil { return nil }
    }

    /// Reads a device that the gateway remembers: its options, and its key out of its secrets.
    ///
    /// - Throws: `invalid_config`, naming the option.
    init(known device: KnownParts) throws(CommandError) {
        var reader = ConfigReader(.object(device.options), at: "options of \(device.id)")
        self.init(id: device.id)
        if let text = device.secrets.exposed[Self.localKeyName] {
            do throws(LocalKey.Problem) {
                localKey = try LocalKey(text)
            } catch {
                reader.add(Self.localKeyName, "\(error)")
            }
        }
        readOptions(&reader)
        reader.refuseOtherKeys()
        try reader.check()
    }

    /// What ``init(known:)`` needs of a device.
    struct KnownParts {
        var id: String
        var options: JSONObject
        var secrets: Secrets
    }

    private static func localKey(_ reader: inout ConfigReader) -> LocalKey? {
        guard let text = reader.text(localKeyName) else { return nil }
        do throws(LocalKey.Problem) {
            return try LocalKey(text)
        } catch {
            reader.add(localKeyName, "\(error)")
            return nil
        }
    }

    private mutating func readOptions(_ reader: inout ConfigReader) {
        readPlace(&reader)
        name = reader.text("name")
        if let name, DeviceName.cleaned(name) == nil {
            reader.add("name", "must have 1 to \(DeviceName.maxCharacters) characters and no control characters")
        }
        self.product = reader.text("product")
        self.category = reader.text("category")
        self.schema = reader.value("schema")
        readLight(&reader)
        self.dialect = reader.word("dialect") ?? .auto
        splitsSets = reader.flag("split") ?? false
        isBatteryPowered = reader.flag("battery") ?? false
        if var part = reader.part("refresh") {
            refresh = RefreshSettings(&part)
            reader.add(part)
        }
        if let seconds = reader.integer("query_interval", 0...86_400) {
            self.queryInterval = seconds == 0 ? nil : .seconds(seconds)
        }
        if var part = reader.part("phase") {
            self.phasePoints = part.integers("dps", 1...255) ?? []
            self.phasePowerIsSigned = part.flag("signed") ?? false
            part.refuseOtherKeys()
            reader.add(part)
        }
    }

    /// Where the device is and which protocol it speaks.
    private mutating func readPlace(_ reader: inout ConfigReader) {
        hub = reader.text("hub")
        childID = reader.text("cid")
        if hub != nil, childID == nil { reader.add("cid", "is missing: the name of the sub-device on its hub") }
        if hub == nil, childID != nil {
            reader.add("hub", "is missing: the id of the hub that carries this sub-device")
        }
        address = reader.text("address")
        if let address, SocketAddress(ip: address, port: 0) == nil {
            reader.add("address", "must be an IP address such as 192.168.1.20")
        }
        if let number = reader.integer("port", 1...65_535) { port = UInt16(number) }
        version = Self.version("version", &reader)
        self.treatUnknownVersionAs = Self.version("treat_unknown_version_as", &reader)
    }

    private mutating func readLight(_ reader: inout ConfigReader) {
        guard let value = reader.value("light") else { return }
        if let flag = value.boolValue {
            self.mayBeLight = flag
        } else if var part = reader.part("light") {
            self.light = LightSettings(&part)
            reader.add(part)
        }
    }

    /// Reads `3.1` … `3.5`; `auto`, like nothing at all, leaves it to the plugin.
    ///
    /// A number is taken as well: YAML makes one of 3.3.
    private static func version(_ key: String, _ reader: inout ConfigReader) -> ProtocolVersion? {
        guard let value = reader.value(key) else { return nil }
        let text = value.stringValue ?? value.doubleValue.map { "\($0)" } ?? ""
        if text == "auto" { return nil }
        let version = ProtocolVersion(text: text)
        if version.isSupported { return version }
        let known = ProtocolVersion.supported.map(\.text).joined(separator: ", ")
        reader.add(key, "must be one of \(known), or auto")
        return nil
    }
}
