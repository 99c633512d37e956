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

extension MQTTError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notConnected: "not connected"
        case .connectionLost(let detail): "the connection was lost: \(detail)"
        case .tooLarge: "the message is larger than the broker accepts"
        case .queueFull(let outstanding): "too much waits already (\(outstanding) messages)"
        case .invalid(let detail): "not valid in MQTT: \(detail)"
        case .refused(let code, let text): "the broker refuses: \(text) (\(code))"
        case .timedOut(let time): "no answer within \(time)"
        case .unreachable(let detail): "cannot be reached: \(detail)"
        case .tls(let detail): "TLS: \(detail)"
        case .protocolViolation(let detail): "not what MQTT allows: \(detail)"
        case .duplicateInstance: "another client uses this client id"
        case .stopped: "stopped"
        case .library(let code, let text): "\(text) (libmosquitto \(code))"
        }
    }
}
