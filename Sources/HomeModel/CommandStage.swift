/// How far a command got.
public enum CommandStage: String, Sendable, CaseIterable {
    /// Written to the device's connection.
    case sent
    /// The device's protocol acknowledged it.
    case acknowledged
    /// The device reported the new value.
    case confirmed
    /// A newer command for the same properties took its place before it was sent.
    case superseded
}
