/// Which way a message travels.
enum Direction: String, CaseIterable, Sendable {
    /// From an MQTT publish to the lamp's socket.
    case command
    /// From the lamp's socket to an MQTT subscriber.
    case report

    var plural: String { rawValue + "s" }
}
