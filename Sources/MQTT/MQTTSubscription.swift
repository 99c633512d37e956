import CMosquitto

/// A topic filter to receive, and how.
package struct MQTTSubscription: Sendable, Hashable {
    /// What the broker does with messages that it has kept.
    package enum RetainedMessages: Sendable, Hashable {
        /// Sends them whenever we subscribe.
        case send
        /// Sends them if we did not have the subscription yet.
        case sendIfNew
        /// Does not send them.
        case ignore
    }

    /// A topic, possibly with the wildcards `+` and `#`.
    package var filter: String
    package var qos: MQTTQoS
    /// Whether the broker spares us our own messages; MQTT 5 only.
    package var noLocal: Bool
    /// Whether messages keep the sender's retain flag; MQTT 5 only.
    package var retainAsPublished: Bool
    /// MQTT 5 only; 3.1.1 always sends.
    package var retained: RetainedMessages

    package init(
        _ filter: String,
        qos: MQTTQoS = .atLeastOnce,
        noLocal: Bool = false,
        retainAsPublished: Bool = false,
        retained: RetainedMessages = .send
    ) {
        self.filter = filter
        self.qos = qos
        self.noLocal = noLocal
        self.retainAsPublished = retainAsPublished
        self.retained = retained
    }

    /// The subscription options as MQTT 5 encodes them, without the QoS.
    var options: Int32 {
        var bits: UInt32 = 0
        if noLocal { bits |= MQTT_SUB_OPT_NO_LOCAL.rawValue }
        if retainAsPublished { bits |= MQTT_SUB_OPT_RETAIN_AS_PUBLISHED.rawValue }
        switch retained {
        case .send: bits |= MQTT_SUB_OPT_SEND_RETAIN_ALWAYS.rawValue
        case .sendIfNew: bits |= MQTT_SUB_OPT_SEND_RETAIN_NEW.rawValue
        case .ignore: bits |= MQTT_SUB_OPT_SEND_RETAIN_NEVER.rawValue
        }
        return Int32(bits)
    }
}
