package import JSON

/// What a device's frame means, once its body is decrypted.
///
/// Source: protocol description, section 3.7. The return code decides nothing: good commands are answered with 1 too.
package enum DeviceReply: Equatable, Sendable {
    /// Answer to a heartbeat.
    case pong
    /// A command was received; whether it worked, only a report tells.
    case acknowledged
    case status(StatusReport)
    /// The device has nothing to tell; keep the state.
    case emptyStatus
    /// An answer to an extended request.
    case extended(type: String, data: JSON?)
    /// Nothing in a frame that means nothing without a body.
    case ignored
    /// `json obj data unvalid`: the device wants its data points named.
    case queryNotSupported
    /// `data format error`.
    case wrongDialectOrVersion
    /// `parse data error`.
    case wrongKeyOrVersion
    /// `devid not found`.
    case unknownDeviceID
    /// Neither JSON nor a known text; log it once.
    case unparsable

    /// Reads a body.
    ///
    /// - Parameter plaintext: from ``SessionCodec/plaintext(of:)``.
    package init(command: Command, plaintext: [UInt8]) {
        if command == .heartbeat {
            self = .pong
        } else if plaintext.allSatisfy({ $0 == 0 }) {
            self = Self.withoutBody(command)
        } else if let text = ErrorText(plaintext) {
            self = Self.refusal(text)
        } else {
            switch DeviceJSON.parse(plaintext) {
            case .object(let object)?: self = Self.reading(object, command: command)
            case .null?: self = .emptyStatus
            default: self = .unparsable
            }
        }
    }

    /// The name of the outcome in the protocol description.
    package var code: String {
        switch self {
        case .pong: "pong"
        case .acknowledged: "ack"
        case .status: "status"
        case .emptyStatus: "empty_status"
        case .extended: "ext"
        case .ignored: "ignored"
        case .queryNotSupported: "query_not_supported"
        case .wrongDialectOrVersion: "wrong_dialect_or_version"
        case .wrongKeyOrVersion: "wrong_key_or_version"
        case .unknownDeviceID: "unknown_device_id"
        case .unparsable: "unparsable"
        }
    }

    private static func withoutBody(_ command: Command) -> DeviceReply {
        switch command {
        case .control, .controlNew: .acknowledged
        case .query, .queryNew: .emptyStatus
        default: .ignored
        }
    }

    private static func refusal(_ text: ErrorText) -> DeviceReply {
        switch text {
        case .queryNotSupported: .queryNotSupported
        case .wrongDialectOrVersion: .wrongDialectOrVersion
        case .wrongKeyOrVersion: .wrongKeyOrVersion
        case .unknownDeviceID: .unknownDeviceID
        }
    }

    private static func reading(_ object: JSONObject, command: Command) -> DeviceReply {
        if let type = object["reqType"]?.stringValue { return .extended(type: type, data: object["data"]) }
        let data = object["data"]?.objectValue
        switch object["dps"] ?? data?["dps"] {
        case .object(let values)?:
            let points = DataPoints(object: values)
            guard !points.isEmpty else { return .emptyStatus }
            return .status(StatusReport(points: points, object: object, data: data))
        case .null?: return .emptyStatus
        case nil: return command == .control || command == .controlNew ? .acknowledged : .emptyStatus
        default: return .unparsable
        }
    }
}
