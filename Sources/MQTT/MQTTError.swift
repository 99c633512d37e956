/// What went wrong in this module.
package enum MQTTError: Error, Equatable, Sendable {
    /// There is no connection; the message was dropped. Whoever sent it sends again after the next connect.
    case notConnected
    /// The connection broke before the broker had acknowledged; it may have the message or not.
    case connectionLost(detail: String)
    /// The message is larger than the broker accepts; it was not sent.
    case tooLarge
    /// Too much waits already; the message was dropped.
    case queueFull(outstanding: Int)
    /// The topic, filter or a property is not valid in MQTT; nothing was sent.
    case invalid(detail: String)
    /// The broker refused a message, a connection or ended one, with a reason code of the version in use.
    case refused(code: UInt8, text: String)
    /// The broker, or an answer of it, did not come in time.
    case timedOut(after: Duration)
    /// The broker cannot be reached.
    case unreachable(detail: String)
    /// The encryption could not be agreed on; a certificate or its authority is wrong.
    case tls(detail: String)
    /// The broker sent what MQTT does not allow, or closed before it had answered.
    case protocolViolation(detail: String)
    /// Somebody else connects with our client id.
    case duplicateInstance
    /// The client was stopped.
    case stopped
    /// Any other failure, with libmosquitto's number.
    case library(code: Int32, text: String)
}
