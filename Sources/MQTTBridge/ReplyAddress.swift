import EventLoop
package import HomeModel
package import MQTT

/// Where an answer goes, and what it must carry.
package struct ReplyAddress: Sendable {
    /// The caller's Response Topic, or our own default.
    package let topic: String
    /// The request's quality of service; an answer is never better or worse.
    package let qos: MQTTQoS
    /// The caller's Correlation Data, unchanged.
    package let correlation: [UInt8]?

    /// Reads it from a message.
    ///
    /// - Parameter fallback: the topic for callers who name none.
    /// - Throws: `bad_request` for a Response Topic with a wildcard, or one that we take commands from, so that nobody can
    ///   make us send commands to ourselves; the answer then goes to `fallback`.
    package init(_ message: MQTTMessage, fallback: String, topics: TopicTree) throws(CommandError) {
        qos = message.qos
        correlation = message.properties.correlationData
        guard let wanted = message.properties.responseTopic else {
            topic = fallback
            return
        }
        guard TopicName.isPublishable(wanted), !topics.isCommand(wanted) else {
            throw CommandError(
                .badRequest,
                "The Response Topic is not one that an answer can be published on.",
                hint: "No wildcards, and none of the gateway's own command topics."
            )
        }
        topic = wanted
    }

    /// Our own default topic.
    init(fallback: String, message: MQTTMessage) {
        topic = fallback
        qos = message.qos
        correlation = message.properties.correlationData
    }
}

/// The rule for topics that are published on.
enum TopicName {
    static func isPublishable(_ topic: String) -> Bool {
        let bytes = topic.utf8
        return !bytes.isEmpty && bytes.count <= 65_535
            && bytes.allSatisfy { $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "#") && $0 >= 0x20 && $0 != 0x7F }
    }
}
