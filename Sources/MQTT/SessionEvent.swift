/// What libmosquitto reported during a call.
enum SessionEvent {
    /// The broker accepted us.
    case accepted(MQTTConnectionInfo)
    /// The broker refused us.
    case rejected(UInt8)
    case message(MQTTMessage)
    /// A message was written (QoS 0) or acknowledged.
    case published(id: Int32, code: UInt8)
    case subscribed(id: Int32, codes: [UInt8])
    case unsubscribed(id: Int32)
    /// The connection has ended: a reason code of the broker from 128 up, else a number of libmosquitto.
    case ended(Int32)
}
