import MQTT

extension MQTTVersion {
    /// The version as people write it.
    var name: String {
        switch self {
        case .v5: "5"
        case .v311: "3.1.1"
        }
    }
}
