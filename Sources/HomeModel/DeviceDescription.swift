/// Everything that a plugin says of a device; all doors are derived from it.
public struct DeviceDescription: Equatable, Sendable {
    /// What the device mainly is; open list, used for icons and for the main entity.
    public enum Kind: String, Sendable, CaseIterable {
        case light, plug, `switch`, sensor, camera, doorbell, lock, cover, climate, hub, button, siren, other
    }

    /// The plugin's own id of the device.
    public var vendorID: VendorID
    /// What to call it until a person names it: 1 to 64 characters.
    public var name: String
    /// What it mainly is.
    public var kind: Kind
    /// Who made it, for people.
    public var manufacturer: String?
    /// The model's name, for people.
    public var model: String?
    /// The maker's product code.
    public var modelID: String?
    /// The firmware's version.
    public var firmware: String?
    /// The hardware address, `aa:bb:cc:dd:ee:ff`.
    public var mac: String?
    /// The hub that carries this device, by the plugin's own id.
    public var via: VendorID?
    /// Whether it runs from a battery and sleeps.
    public var isBatteryPowered: Bool
    /// State, in the order to show it.
    public var properties: [PropertyDescription]
    /// What it can be asked to do.
    public var actions: [ActionDescription]
    /// What happens at it.
    public var events: [EventDescription]

    /// Describes a device.
    public init(
        vendorID: VendorID,
        name: String,
        kind: Kind = .other,
        manufacturer: String? = nil,
        model: String? = nil,
        modelID: String? = nil,
        firmware: String? = nil,
        mac: String? = nil,
        via: VendorID? = nil,
        isBatteryPowered: Bool = false,
        properties: [PropertyDescription] = [],
        actions: [ActionDescription] = [],
        events: [EventDescription] = []
    ) {
        self.vendorID = vendorID
        self.name = name
        self.kind = kind
        self.manufacturer = manufacturer
        self.model = model
        self.modelID = modelID
        self.firmware = firmware
        self.mac = mac
        self.via = via
        self.isBatteryPowered = isBatteryPowered
        self.properties = properties
        self.actions = actions
        self.events = events
    }

    /// The property with a name.
    public func property(_ name: String) -> PropertyDescription? { properties.first { $0.name == name } }
    /// The action with a name.
    public func action(_ name: String) -> ActionDescription? { actions.first { $0.name == name } }
    /// The event with a name.
    public func event(_ name: String) -> EventDescription? { events.first { $0.name == name } }
}
