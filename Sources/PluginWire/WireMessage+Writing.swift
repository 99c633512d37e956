import JSON

extension WireMessage {
    /// The message as a line, newline included.
    public var line: [UInt8] {
        var writer = JSONWriter(reservingCapacity: 512)
        switch self {
        case .request(let id, let method, let params):
            writer.beginMessage(id: id)
            writer.key("method")
            writer.string(method)
            writer.params(params)
        case .notification(let method, let params):
            writer.beginMessage()
            writer.key("method")
            writer.string(method)
            writer.params(params)
        case .response(let id, let result):
            writer.beginMessage(id: id)
            writer.key("result")
            writer.value(result)
        case .failure(let id, let failure):
            writer.beginMessage()
            writer.key("id")
            writer.value(id?.json ?? .null)
            writer.key("error")
            writer.value(failure.json)
        }
        return writer.endMessage()
    }
}

extension JSONWriter {
    /// Opens a message.
    mutating func beginMessage() {
        beginObject()
        key("jsonrpc")
        string("2.0")
    }

    /// Opens a message with an id.
    mutating func beginMessage(id: WireID) {
        beginMessage()
        key("id")
        switch id {
        case .number(let value): integer(value)
        case .text(let value): string(value)
        }
    }

    /// Opens a message and its `params`, for a method whose parameters are written one by one.
    mutating func beginMessage(id: WireID? = nil, method: WireMethod) {
        if let id { beginMessage(id: id) } else { beginMessage() }
        key("method")
        string(method.rawValue)
        key("params")
        beginObject()
    }

    /// Writes `params` where there are any.
    mutating func params(_ params: JSONObject) {
        guard !params.isEmpty else { return }
        key("params")
        object(params)
    }

    /// Closes a message and gives it as a line.
    mutating func endMessage() -> [UInt8] {
        endObject()
        newline()
        return bytes
    }
}
