package import HomeModel
package import JSON

/// What is kept of a pairing session; never what it was given.
package struct PairingRecord: Sendable, Equatable {
    package var session: PairingID
    package var plugin: PluginID
    package var method: String
    /// What the device gets when it comes in; ids as they were then.
    package var home: HomeID?
    package var room: RoomID?
    package var name: String?
    package var startedAt: Timestamp
    /// Nil while the session is open.
    package var endedAt: Timestamp?
    /// `running` while open, else how it ended.
    package var state: String
    /// The step that it was at.
    package var step: String?
    /// Why it failed or expired; of an open session, what it will be if the gateway is killed now.
    package var failure: PairingFailure?
    /// The devices that came in.
    package var devices: [DeviceID]

    package init(
        session: PairingID,
        plugin: PluginID,
        method: String,
        home: HomeID? = nil,
        room: RoomID? = nil,
        name: String? = nil,
        startedAt: Timestamp,
        endedAt: Timestamp? = nil,
        state: String = "running",
        step: String? = nil,
        failure: PairingFailure? = nil,
        devices: [DeviceID] = []
    ) {
        self.session = session
        self.plugin = plugin
        self.method = method
        self.home = home
        self.room = room
        self.name = name
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.state = state
        self.step = step
        self.failure = failure
        self.devices = devices
    }

    /// `{"session","plugin","method","home"?,"room"?,"name"?,"started_at","ended_at"?,"state","step"?,"error"?,"devices"}`.
    package var json: JSON {
        var object: JSONObject = ["session": .string(session.text), "plugin": .string(plugin.text)]
        object["method"] = .string(method)
        if let home { object["home"] = .string(home.text) }
        if let room { object["room"] = .string(room.text) }
        if let name { object["name"] = .string(name) }
        object["started_at"] = .string(startedAt.description)
        if let endedAt { object["ended_at"] = .string(endedAt.description) }
        object["state"] = .string(state)
        if let step { object["step"] = .string(step) }
        if endedAt != nil, let failure { object["error"] = failure.json }
        object["devices"] = .array(devices.map { .string($0.text) })
        return .object(object)
    }
}
