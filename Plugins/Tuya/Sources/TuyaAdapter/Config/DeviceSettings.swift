package import TuyaProtocol

/// What the operator, or the pairing, says of one device.
///
/// What few devices need stands in ``DeviceOptions``; its members are members of this, too, and devices without any share
/// one value.
@dynamicMemberLookup
package struct DeviceSettings: Sendable, Equatable {
    /// The device's own id; for a sub-device that of its own, not its `cid`.
    package var id: String
    /// nil for a sub-device, and for a device whose key was lost.
    package var localKey: LocalKey?
    /// A numeric address; nil: found by beacon.
    package var address: String?
    package var port: UInt16 = 6668
    /// nil: told by beacon, or found by trying.
    package var version: ProtocolVersion?
    package var name: String?
    /// The hub that carries this device, by its device id.
    package var hub: String?
    /// The device's name on its hub.
    package var childID: String?
    /// Sends the mode before the rest instead of all in one message.
    package var splitsSets = false
    /// Sleeps, and is woken by nobody but itself.
    package var isBatteryPowered = false
    package var refresh: RefreshSettings?

    private var rare = Rare.none

    /// A device of which nothing else is known.
    package init(id: String, localKey: LocalKey? = nil) {
        self.id = id
        self.localKey = localKey
    }

    /// A member of ``DeviceOptions``.
    package subscript<Value>(dynamicMember member: WritableKeyPath<DeviceOptions, Value>) -> Value {
        get { rare.options[keyPath: member] }
        set {
            var options = rare.options
            options[keyPath: member] = newValue
            rare = options == Rare.none.options ? .none : Rare(options)
        }
    }

    /// Holds options that many devices share.
    private final class Rare: Sendable, Equatable {
        static let none = Rare(DeviceOptions())

        let options: DeviceOptions

        init(_ options: DeviceOptions) { self.options = options }

        static func == (one: Rare, other: Rare) -> Bool { one === other || one.options == other.options }
    }
}
