package import JSON
package import TuyaProtocol

/// What few operators need to say of a device.
package struct DeviceOptions: Sendable, Equatable {
    /// How a device is asked for its state.
    package enum Dialect: String, CaseIterable, Sendable {
        /// As devices want it: the plain question first, the other one where it is refused.
        case auto
        /// Always the plain question.
        case plain = "default"
        /// Always with the data points named.
        case listed = "device22"
    }

    /// The version to speak with a device that announces one we do not know; its own text stands in the headers.
    package var treatUnknownVersionAs: ProtocolVersion?
    /// The product's key, for people and for the description.
    package var product: String?
    /// The vendor's category, such as `dj` for a lamp and `cz` for a plug.
    package var category: String?
    /// The product's data points in one of the vendor's forms, see ``DeviceSchema``.
    package var schema: JSON?
    /// What the operator says of a lamp.
    package var light = LightSettings()
    /// `false`: not a lamp, whatever its data points look like.
    package var mayBeLight = true
    package var dialect = Dialect.auto
    /// Time between questions for the whole state, as a net under lost reports; nil: never.
    package var queryInterval: Duration? = .seconds(300)
    /// Data points that hold a phase's voltage, current and power as bytes.
    package var phasePoints: [Int] = []
    /// Whether power in ``phasePoints`` may be negative.
    package var phasePowerIsSigned = false

    /// Nothing but what is found out.
    package init() {}
}
