package import JSON
package import TuyaProtocol

/// What the operator, or the pairing, says of one device.
package struct DeviceSettings: Sendable, Equatable {
    /// How a device is asked for its state.
    package enum Dialect: String, CaseIterable, Sendable {
        /// As devices want it: the plain question first, the other one where it is refused.
        case auto
        /// Always the plain question.
        case plain = "default"
        /// Always with the data points named.
        case listed = "device22"
    }

    /// The device's own id; for a sub-device that of its own, not its `cid`.
    package var id: String
    /// nil for a sub-device, and for a device whose key was lost.
    package var localKey: LocalKey?
    /// A numeric address; nil: found by beacon.
    package var address: String?
    package var port: UInt16 = 6668
    /// nil: told by beacon, or found by trying.
    package var version: ProtocolVersion?
    /// The version to speak with a device that announces one we do not know; its own text stands in the headers.
    package var treatUnknownVersionAs: ProtocolVersion?
    package var name: String?
    /// The product's key, for people and for the description.
    package var product: String?
    /// The vendor's category, such as `dj` for a lamp and `cz` for a plug.
    package var category: String?
    /// The product's data points in one of the vendor's forms, see ``ProductSchema``.
    package var schema: JSON?
    /// What the operator says of a lamp.
    package var light = LightSettings()
    /// `false`: not a lamp, whatever its data points look like.
    package var mayBeLight = true
    /// The hub that carries this device, by its device id.
    package var hub: String?
    /// The device's name on its hub.
    package var childID: String?
    package var dialect = Dialect.auto
    /// Sends the mode before the rest instead of all in one message.
    package var splitsSets = false
    /// Sleeps, and is woken by nobody but itself.
    package var isBatteryPowered = false
    package var refresh: RefreshSettings?
    /// Time between questions for the whole state, as a net under lost reports; nil: never.
    package var queryInterval: Duration? = .seconds(300)
    /// Data points that hold a phase's voltage, current and power as bytes.
    package var phasePoints: [Int] = []
    /// Whether power in ``phasePoints`` may be negative.
    package var phasePowerIsSigned = false

    /// A device of which nothing else is known.
    package init(id: String, localKey: LocalKey? = nil) {
        self.id = id
        self.localKey = localKey
    }
}
