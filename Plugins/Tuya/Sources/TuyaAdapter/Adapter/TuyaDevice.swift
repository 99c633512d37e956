import DeviceInterface
import EventLoop
import HomeModel
import JSON
import TuyaProtocol

/// One device as the gateway knows it: a device of its own, or a hub's sub-device.
@Loop
final class TuyaDevice {
    /// Who waits for an answer of the device to a question.
    struct Reader {
        var properties: [String]?
        var deadline: MonotonicTime
        /// Ends the wait at the deadline.
        var timer: LoopTimer
        var reply: Reply<ReadResult>
    }

    let id: VendorID
    let shared: SharedSettings
    /// The device's connection; nil for a sub-device.
    ///
    /// The line holds the device, too: whoever drops a device takes its line from it.
    var line: DeviceLine?
    /// Whether the device stands in the configuration.
    let isConfigured: Bool
    var state: DeviceState
    var learned: LearnedDevice
    /// The product's key as a beacon told it.
    var productKey: String?
    /// What the hub says of its sub-device.
    var isAbsent = false
    var readers: [Reader] = []
    /// What the gateway was told last.
    private(set) var connectivity: Connectivity?
    /// A digest of the description that the gateway was told last; descriptions are large, and devices many.
    private var describedDigest: UInt64?
    /// Name and product of an earlier life, until they are known anew.
    private var earlier: (name: String, modelID: String?)?
    /// When the device last told something.
    var lastReport: Timestamp?
    /// Why commands failed last, for diagnostics.
    var lastError: String?

    var settings: DeviceSettings { shared.settings }

    init(_ shared: SharedSettings, isConfigured: Bool, learned: LearnedDevice, model: ProductModel) {
        self.shared = shared
        self.isConfigured = isConfigured
        self.learned = learned
        id = VendorID(shared.settings.id)
        state = DeviceState(model: model)
    }

    /// Tells the gateway how to reach the device, where that has changed.
    func tell(_ connectivity: Connectivity, _ host: any AdapterHost) {
        guard connectivity != self.connectivity else { return }
        self.connectivity = connectivity
        host.deviceConnectivity(id, connectivity)
    }

    /// Tells the gateway what the device is, where that has changed.
    func describe(to host: any AdapterHost) {
        // What is remembered says more than nothing.
        guard earlier == nil || !state.properties.isEmpty else { return }
        let description = description
        let digest = Self.digest(description)
        guard digest != describedDigest else { return }
        describedDigest = digest
        host.deviceDescribed(description, secrets: nil)
    }

    /// Tells the gateway what the device is together with its secrets, whether that has changed or not.
    func introduce(to host: any AdapterHost, secrets: Secrets?) {
        let description = description
        describedDigest = Self.digest(description)
        host.deviceDescribed(description, secrets: secrets)
    }

    /// Takes the place of the device with the same id: name, product and what the gateway was told stay.
    func follow(_ before: TuyaDevice) {
        let description = before.description
        earlier = before.earlier ?? (description.name, description.modelID)
        productKey = productKey ?? before.productKey
        lastReport = before.lastReport
    }

    /// Takes over what the gateway was told in an earlier life.
    func wasDescribed(as description: DeviceDescription) {
        earlier = (description.name, description.modelID)
    }

    /// FNV-1a over the description's JSON: two descriptions of a device that differ have different digests, but for one case
    /// in 2⁶⁴.
    private static func digest(_ description: DeviceDescription) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in description.json.serialized() { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return hash
    }

    private var description: DeviceDescription {
        let settings = shared.settings
        return DeviceDescription(
            vendorID: id,
            name: settings.name.flatMap(DeviceName.cleaned) ?? earlier?.name ?? "Tuya \(settings.id.suffix(6))",
            kind: kind,
            manufacturer: "Tuya",
            modelID: settings.product ?? productKey ?? earlier?.modelID,
            via: settings.hub.map { VendorID($0) },
            isBatteryPowered: settings.isBatteryPowered,
            properties: state.properties
        )
    }

    /// - Source: the vendor's category codes; without one, what the data points show.
    private var kind: DeviceDescription.Kind {
        switch state.model.category {
        case "dj", "dd", "xdd", "fwd", "dc", "tgq", "tgkg": return .light
        case "cz", "pc": return .plug
        case "kg", "tdq": return .switch
        case "wsdcg", "pir", "mcs", "ywbj", "rqbj", "sj", "hps", "ldcg", "zndb", "dlq": return .sensor
        case "cl", "clkg", "ckmkzq": return .cover
        case "wk", "wkf", "kt", "qn", "fs": return .climate
        case "wg2", "wfcon", "wg": return .hub
        case "wxkg": return .button
        case "sgbj": return .siren
        case "ms", "jtmspro": return .lock
        default: break
        }
        if state.light != nil { return .light }
        let roles = Set(state.model.bindings.compactMap(\.role))
        if roles.contains(.powerDraw) { return .plug }
        if roles.contains(.power) { return .switch }
        return roles.isDisjoint(with: [.temperature, .humidity, .motion]) ? .other : .sensor
    }
}
