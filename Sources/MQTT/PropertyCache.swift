import EventLoop

/// Keeps the C form of properties that are the same for many messages, such as those of all JSON.
@Loop
struct PropertyCache {
    /// Shares an immutable list.
    final class Shared {
        let list: PropertyList

        init(_ list: consuming PropertyList) {
            self.list = list
        }
    }

    /// More kinds than this are built anew each time.
    private static let limit = 16

    private let empty = Shared(PropertyList())
    private var kept: [(properties: MQTTProperties, shared: Shared)] = []

    init() {}

    mutating func list(for properties: MQTTProperties, _ version: MQTTVersion) throws(MQTTError) -> Shared {
        if version == .v311 || properties.isEmpty { return empty }
        guard properties.isPlain else { return Shared(try PropertyList(properties)) }
        for entry in kept where entry.properties == properties { return entry.shared }
        let shared = Shared(try PropertyList(properties))
        if kept.count < Self.limit { kept.append((properties, shared)) }
        return shared
    }
}
