import HomeModel

/// Lets devices of one kind share their lists of properties, actions and events, which are most of a description.
///
/// A value that remembers the shapes seen; a house has few, however many lamps.
struct DescriptionShapes {
    private var seen: [DeviceDescription] = []
    private static let limit = 64

    /// The same description, with the lists of an equal one that came before.
    mutating func sharing(_ description: DeviceDescription) -> DeviceDescription {
        let match = seen.first {
            $0.properties == description.properties && $0.actions == description.actions
                && $0.events == description.events
        }
        guard let match else {
            if seen.count == Self.limit { seen.removeFirst() }
            seen.append(description)
            return description
        }
        var shared = description
        shared.properties = match.properties
        shared.actions = match.actions
        shared.events = match.events
        return shared
    }
}
