public import JSON

/// Bytes that are not the plugin protocol.
public enum WireFault: Error, Equatable, Sendable {
    /// A line without end, or longer than allowed.
    case lineTooLong(limit: Int)
    /// A line that is not JSON.
    case notJSON(JSONError)
    /// JSON that is not a JSON-RPC 2.0 message; says what is wrong.
    case notRPC(String)
    /// An answer whose result is not what the method gives; says what is wrong.
    case badResult(String)

    /// The fault as JSON-RPC's own error, to tell the peer.
    public var failure: WireFailure {
        switch self {
        case .lineTooLong, .notRPC, .badResult: WireFailure(code: WireFailure.invalidRequest, message: description)
        case .notJSON: WireFailure(code: WireFailure.parseError, message: description)
        }
    }
}

extension WireFault: CustomStringConvertible {
    /// What is wrong, in plain words, without any of the bytes.
    public var description: String {
        switch self {
        case .lineTooLong(let limit): "a line is longer than \(limit) bytes"
        case .notJSON(let error): "a line is not JSON: \(error)"
        case .notRPC(let problem): "a line is not a JSON-RPC 2.0 message: \(problem)"
        case .badResult(let problem): "an answer is not what was asked for: \(problem)"
        }
    }
}
