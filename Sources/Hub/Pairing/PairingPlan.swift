import HomeModel

/// What a pairing session shall do, apart from what a person gave for it.
struct PairingPlan: Sendable, Equatable {
    var plugin: PluginID
    var method: String
    /// The home that its devices belong to.
    var home: HomeID?
    /// Whether a person named ``home``; else it is the only one there is.
    var isHomeChosen = false
    var room: RoomID?
    /// The device's name, where exactly one comes in.
    var name: String?
    /// The step to begin at.
    var from: String?
    /// The session that this one tries again.
    var retryOf: PairingID?
}
