package import HomeModel
package import JSON

/// Where the hub keeps homes, devices and what they last said; the registry implements it.
package protocol HouseStore: Sendable {
    /// Reads everything, once at start.
    ///
    /// - Throws: `internal` where the store cannot be read.
    func load() async throws(CommandError) -> StoredHouse

    /// Carries out changes in one transaction; on return they survive any kill.
    ///
    /// - Throws: `internal` with what is wrong (disk full, read-only); then none of them was carried out.
    func commit(_ changes: [HouseChange]) async throws(CommandError)

    /// Takes facts that may be written a little later, in batches; the newest of a kind and device wins.
    ///
    /// Called on the hot path: returns at once. At most a second of them is lost by a kill.
    func note(_ note: HouseNote)

    /// Writes all that was noted.
    func flush() async

    /// The newest commands of a device, newest first.
    func provenance(of device: DeviceID, limit: Int) async throws(CommandError) -> [CommandTrace]

    /// The newest pairing sessions, open ones among them, newest first.
    func pairings(limit: Int) async throws(CommandError) -> [PairingRecord]

    /// A value that a plugin keeps.
    func value(plugin: PluginID, key: String) async throws(CommandError) -> JSON?
}

/// Everything the store knows.
package struct StoredHouse: Sendable {
    /// Homes with their rooms.
    package var homes: [Home]
    /// Devices with their secrets and last state.
    package var devices: [StoredDevice]
    /// The ids of devices that were removed; each stays with its plugin and vendor id.
    package var reserved: [ReservedID]
    /// Secrets of plugins that belong to no device.
    package var pluginSecrets: [PluginID: Secrets]
    /// Pairing sessions that were open when the gateway ended, oldest first.
    package var openPairings: [PairingRecord]

    package init(
        homes: [Home] = [],
        devices: [StoredDevice] = [],
        reserved: [ReservedID] = [],
        pluginSecrets: [PluginID: Secrets] = [:],
        openPairings: [PairingRecord] = []
    ) {
        self.homes = homes
        self.devices = devices
        self.reserved = reserved
        self.pluginSecrets = pluginSecrets
        self.openPairings = openPairings
    }
}

/// An id that was given to a device once, and would be given to the same device again.
package struct ReservedID: Sendable, Hashable {
    package var id: DeviceID
    package var plugin: PluginID
    package var vendorID: VendorID

    package init(id: DeviceID, plugin: PluginID, vendorID: VendorID) {
        self.id = id
        self.plugin = plugin
        self.vendorID = vendorID
    }
}

/// A device as kept: what it is, and what it last said.
package struct StoredDevice: Sendable, Equatable {
    package var record: DeviceRecord
    /// Given back to the plugin at its start.
    package var secrets: Secrets
    /// The last whole state; empty where none was ever reported.
    package var state: JSONObject
    /// When the device last confirmed a part of ``state``.
    package var stateAt: Timestamp?

    package init(
        record: DeviceRecord,
        secrets: Secrets = Secrets(),
        state: JSONObject = JSONObject(),
        stateAt: Timestamp? = nil
    ) {
        self.record = record
        self.secrets = secrets
        self.state = state
        self.stateAt = stateAt
    }
}

/// What is known of a device apart from its state.
package struct DeviceRecord: Sendable, Equatable {
    package var id: DeviceID
    package var plugin: PluginID
    /// Unique within the plugin.
    package var vendorID: VendorID
    /// What a person named it; nil while the description's name is used.
    package var chosenName: String?
    package var home: HomeID?
    package var room: RoomID?
    package var description: DeviceDescription
    /// What the operator set for it.
    package var options: JSONObject
    package var createdAt: Timestamp

    package init(
        id: DeviceID,
        plugin: PluginID,
        vendorID: VendorID,
        chosenName: String? = nil,
        home: HomeID? = nil,
        room: RoomID? = nil,
        description: DeviceDescription,
        options: JSONObject = JSONObject(),
        createdAt: Timestamp
    ) {
        self.id = id
        self.plugin = plugin
        self.vendorID = vendorID
        self.chosenName = chosenName
        self.home = home
        self.room = room
        self.description = description
        self.options = options
        self.createdAt = createdAt
    }

    /// What to call it.
    package var name: String { chosenName ?? description.name }
}

/// A change that must not be lost once it is acknowledged.
package enum HouseChange: Sendable, Equatable {
    /// Adds a home or changes its name; its rooms are left alone.
    case putHome(id: HomeID, name: String)
    /// Removes a home and its rooms; devices in it are left without home and room.
    case removeHome(HomeID)
    case putRoom(Room, home: HomeID)
    /// Removes a room; devices in it stay in the home.
    case removeRoom(RoomID)
    /// Adds or replaces a device, by id; its state and secrets stay.
    case putDevice(DeviceRecord)
    /// Removes a device with its state, secrets and provenance; the id stays reserved for this plugin and vendor id.
    case removeDevice(DeviceID)
    /// Adds or replaces the named secrets of a device; others stay.
    case putSecrets(Secrets, device: DeviceID)
    /// Adds or replaces secrets of a plugin that belong to no device.
    case putPluginSecrets(Secrets, plugin: PluginID)
    /// Adds or replaces a pairing session, by its id; of those that have ended the newest 200 are kept.
    case putPairing(PairingRecord)
    /// Keeps a plugin's value; nil removes it.
    case putValue(JSON?, plugin: PluginID, key: String)
}

/// A fact that may be written a little later.
package enum HouseNote: Sendable {
    /// The whole state of a device, and when the device last confirmed a part of it.
    case state(DeviceID, JSONObject, at: Timestamp)
    case command(CommandTrace)
}

/// Who asked a device for what, and what came of it.
package struct CommandTrace: Sendable, Equatable {
    package var device: DeviceID
    package var at: Timestamp
    /// `mqtt`, `http`, `cli` and, where the caller named itself, that name behind a slash: `mqtt/homeassistant`.
    package var source: String
    /// The values or the action's name; never secrets.
    package var request: JSON
    /// A stage, or an error code.
    package var outcome: String

    package init(device: DeviceID, at: Timestamp, source: String, request: JSON, outcome: String) {
        self.device = device
        self.at = at
        self.source = source
        self.request = request
        self.outcome = outcome
    }
}
