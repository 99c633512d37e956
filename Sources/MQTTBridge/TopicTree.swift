import HomeModel

/// All topics below a base topic, as mqtt-conventions section 1 lists them.
package struct TopicTree: Sendable, Equatable {
    /// The base topic: one or more levels, no slash at either end.
    package let base: String

    package init(base: String) { self.base = base }

    /// A topic of the gateway: `<base>/bridge/<leaf>`.
    package func bridge(_ leaf: String) -> String { "\(base)/bridge/\(leaf)" }

    /// A topic of a device: `<base>/device/<id>/<leaf>`.
    ///
    /// - Parameter id: an id, or the level that stood where an id should be.
    package func device(_ id: String, _ leaf: String) -> String { "\(base)/device/\(id)/\(leaf)" }

    /// What the gateway must hear.
    package var commandFilters: [String] {
        ["\(base)/bridge/request/#", "\(base)/device/+/set", "\(base)/device/+/get", "\(base)/device/+/action/+"]
    }

    /// Reads a topic that a message came on.
    ///
    /// - Returns: nil for topics that carry no command.
    package func parse(_ topic: String) -> IncomingTopic? {
        guard topic.utf8.count > base.utf8.count + 1, topic.hasPrefix(base) else { return nil }
        let rest = topic.utf8.dropFirst(base.utf8.count)
        guard rest.first == slash else { return nil }
        let levels = rest.dropFirst().split(separator: slash, maxSplits: 3, omittingEmptySubsequences: false)
        guard levels.count >= 3 else { return nil }
        if levels[0].elementsEqual("device".utf8) {
            let id = String(levels[1]) ?? ""
            if levels.count == 3, levels[2].elementsEqual("set".utf8) { return .set(id) }
            if levels.count == 3, levels[2].elementsEqual("get".utf8) { return .get(id) }
            if levels.count == 4, levels[2].elementsEqual("action".utf8) {
                return .action(id, name: String(levels[3]) ?? "")
            }
        } else if levels[0].elementsEqual("bridge".utf8), levels[1].elementsEqual("request".utf8) {
            return .request(levels.dropFirst(2).map { String($0) ?? "" }.joined(separator: "/"))
        }
        return nil
    }

    /// Whether a topic is one that we take commands from; answers must not go there.
    package func isCommand(_ topic: String) -> Bool {
        if parse(topic) != nil { return true }
        let inside = topic.hasPrefix(base + "/")
        return inside && ["/set", "/get", "/activate"].contains { topic.hasSuffix($0) }
    }
}

/// What a message asks for, by its topic.
package enum IncomingTopic: Equatable, Sendable {
    /// A request to the gateway, by path.
    case request(String)
    /// Properties of a device; the id as it stands in the topic.
    case set(String)
    case get(String)
    case action(String, name: String)
}

private let slash = UInt8(ascii: "/")
