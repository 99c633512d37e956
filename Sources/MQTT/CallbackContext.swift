import CMosquitto

/// Where libmosquitto's callbacks leave what they copied.
///
/// Callbacks come only from inside calls to libmosquitto. They do nothing but copy: the session takes the events when
/// the call has returned, and may then call the library again.
///
/// `@unchecked Sendable`: a session's calls are made by the worker that connects, and after it has ended by the loop,
/// never by two threads at a time.
final class CallbackContext: @unchecked Sendable {
    let version: MQTTVersion
    private var events: [SessionEvent] = []
    /// The last error that the library has put into words; OpenSSL's are found nowhere else.
    private(set) var lastError = ""
    /// Grows with every event and is never set back.
    private(set) var eventCount = 0

    init(version: MQTTVersion) {
        self.version = version
    }

    /// Sets all callbacks on a new handle.
    func install(on raw: OpaquePointer) {
        unsafe mosquitto_connect_v5_callback_set(raw, didConnect)
        unsafe mosquitto_disconnect_v5_callback_set(raw, didDisconnect)
        unsafe mosquitto_message_v5_callback_set(raw, didReceive)
        unsafe mosquitto_publish_v5_callback_set(raw, didPublish)
        unsafe mosquitto_subscribe_v5_callback_set(raw, didSubscribe)
        unsafe mosquitto_unsubscribe_v5_callback_set(raw, didUnsubscribe)
        unsafe mosquitto_log_callback_set(raw, didLog)
    }

    /// Exchanges the events against an empty array, whose memory is then used for the next ones.
    func take(into other: inout [SessionEvent]) {
        swap(&events, &other)
    }

    /// Whether the newest event says that this message is written; if so, the event is taken back.
    func takeIfLast(publishedID id: Int32) -> Bool {
        guard case .published(id, _)? = events.last else { return false }
        events.removeLast()
        return true
    }

    var hasEvents: Bool { !events.isEmpty }

    fileprivate func add(_ event: SessionEvent) {
        eventCount &+= 1
        events.append(event)
    }

    fileprivate func note(_ error: String) {
        lastError = error
    }
}

// MARK: Callbacks

private func context(_ userdata: UnsafeMutableRawPointer?) -> CallbackContext? {
    guard let userdata = unsafe userdata else { return nil }
    return unsafe Unmanaged<CallbackContext>.fromOpaque(userdata).takeUnretainedValue()
}

private func didConnect(
    _: OpaquePointer?,
    _ userdata: UnsafeMutableRawPointer?,
    _ code: Int32,
    _ flags: Int32,
    _ properties: OpaquePointer?
) {
    guard let context = unsafe context(userdata) else { return }
    guard code == 0 else { return context.add(.rejected(UInt8(truncatingIfNeeded: code))) }
    var info = MQTTConnectionInfo(version: context.version, isSessionPresent: flags & 1 == 1)
    unsafe PropertyReader.connection(properties, into: &info)
    context.add(.accepted(info))
}

private func didDisconnect(
    _: OpaquePointer?,
    _ userdata: UnsafeMutableRawPointer?,
    _ code: Int32,
    _: OpaquePointer?
) {
    unsafe context(userdata)?.add(.ended(code))
}

private func didReceive(
    _: OpaquePointer?,
    _ userdata: UnsafeMutableRawPointer?,
    _ message: UnsafePointer<mosquitto_message>?,
    _ properties: OpaquePointer?
) {
    guard let context = unsafe context(userdata), let message = unsafe message?.pointee,
        let topic = unsafe message.topic
    else { return }
    let payload = unsafe UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
    context.add(
        .message(
            MQTTMessage(
                topic: unsafe String(cString: topic),
                payload: unsafe [UInt8](payload),
                qos: unsafe MQTTQoS(rawValue: UInt8(truncatingIfNeeded: message.qos)) ?? .atMostOnce,
                retain: unsafe message.retain,
                properties: unsafe PropertyReader.message(properties)
            )
        )
    )
}

private func didPublish(
    _: OpaquePointer?,
    _ userdata: UnsafeMutableRawPointer?,
    _ id: Int32,
    _ code: Int32,
    _: OpaquePointer?
) {
    unsafe context(userdata)?.add(.published(id: id, code: UInt8(truncatingIfNeeded: code)))
}

private func didSubscribe(
    _: OpaquePointer?,
    _ userdata: UnsafeMutableRawPointer?,
    _ id: Int32,
    _ count: Int32,
    _ granted: UnsafePointer<Int32>?,
    _: OpaquePointer?
) {
    let codes = unsafe UnsafeBufferPointer(start: granted, count: Int(count)).map { UInt8(truncatingIfNeeded: $0) }
    unsafe context(userdata)?.add(.subscribed(id: id, codes: codes))
}

private func didUnsubscribe(
    _: OpaquePointer?,
    _ userdata: UnsafeMutableRawPointer?,
    _ id: Int32,
    _: OpaquePointer?
) {
    unsafe context(userdata)?.add(.unsubscribed(id: id))
}

private func didLog(
    _: OpaquePointer?,
    _ userdata: UnsafeMutableRawPointer?,
    _ level: Int32,
    _ text: UnsafePointer<CChar>?
) {
    guard level == MOSQ_LOG_ERR, let text = unsafe text else { return }
    unsafe context(userdata)?.note(String(cString: text))
}
