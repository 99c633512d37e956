import HomeModel

/// The topics of one device, made once.
final class DeviceTopics {
    let owner: String
    let state: String
    let availability: String
    let description: String

    init(_ id: DeviceID, in tree: TopicTree) {
        owner = "device/\(id.text)"
        state = tree.device(id.text, "state")
        availability = tree.device(id.text, "availability")
        description = tree.bridge("device/\(id.text)")
    }
}
