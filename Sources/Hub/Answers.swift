package import HomeModel
package import JSON

/// The outcome of a `set`, `get` or action at a device.
package enum CommandAnswer: Sendable, Equatable {
    /// A `set` came so far; `applied` are the values that were written.
    case written(stage: CommandStage, applied: JSONObject, ignored: [String])
    /// A `get`: the whole state.
    case state(JSONObject)
    /// An action's output.
    case output(JSON)
    case failed(CommandError)

    /// What to note of it: a stage or an error code.
    var outcome: String {
        switch self {
        case .written(let stage, _, _): stage.rawValue
        case .state, .output: "ok"
        case .failed(let error): error.code.rawValue
        }
    }
}

/// The outcome of a request to the gateway.
package enum RequestAnswer: Sendable, Equatable {
    case ok(JSONObject)
    /// Long work began; it reports elsewhere.
    case accepted(JSONObject)
    case failed(CommandError)
}

/// The envelope that all doors put around an answer.
package enum AnswerEnvelope {
    /// `{"status","transaction"?,…,"elapsed_ms"}`.
    ///
    /// - Parameter transaction: the caller's own mark, a JSON string or number, echoed byte for byte.
    package static func encode(_ answer: CommandAnswer, transaction: [UInt8]?, elapsedMs: Int) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("status")
        if case .failed = answer { writer.string("error") } else { writer.string("ok") }
        if let transaction {
            writer.key("transaction")
            writer.raw(transaction)
        }
        switch answer {
        case .written(let stage, let applied, let ignored):
            writer.key("stage")
            writer.string(stage.rawValue)
            writer.key("applied")
            writer.object(applied)
            if !ignored.isEmpty {
                writer.key("ignored")
                writer.value(.array(ignored.map { .string($0) }))
            }
        case .state(let state):
            writer.key("state")
            writer.object(state)
        case .output(let output):
            writer.key("output")
            writer.value(output)
        case .failed(let error):
            writeFailure(error, to: &writer)
        }
        writer.key("elapsed_ms")
        writer.integer(elapsedMs)
        writer.endObject()
        return writer.bytes
    }

    /// `{"status","transaction"?,"data":{…},"error"?,"elapsed_ms"}`.
    package static func encode(_ answer: RequestAnswer, transaction: [UInt8]?, elapsedMs: Int) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("status")
        switch answer {
        case .ok: writer.string("ok")
        case .accepted: writer.string("accepted")
        case .failed: writer.string("error")
        }
        if let transaction {
            writer.key("transaction")
            writer.raw(transaction)
        }
        switch answer {
        case .ok(let data), .accepted(let data):
            writer.key("data")
            writer.object(data)
        case .failed(let error):
            writeFailure(error, to: &writer)
        }
        writer.key("elapsed_ms")
        writer.integer(elapsedMs)
        writer.endObject()
        return writer.bytes
    }

    private static func writeFailure(_ error: CommandError, to writer: inout JSONWriter) {
        writer.key("data")
        writer.object(error.details)
        writer.key("error")
        writer.value(error.json)
    }
}
