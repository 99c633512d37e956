public import JSON

/// One line of the plugin protocol: a JSON-RPC 2.0 message, without batches.
public enum WireMessage: Sendable, Equatable {
    /// Asks for an answer.
    case request(id: WireID, method: String, params: JSONObject)
    /// Tells something.
    case notification(method: String, params: JSONObject)
    /// Answers a request.
    case response(id: WireID, result: JSON)
    /// Refuses a request; the id is nil where the request was too broken to have one.
    case failure(id: WireID?, WireFailure)

    /// Reads a line.
    ///
    /// Members that JSON-RPC does not name are ignored.
    /// - Throws: ``WireFault/notJSON(_:)`` or ``WireFault/notRPC(_:)``.
    public init(line: ArraySlice<UInt8>) throws(WireFault) {
        let json: JSON
        do { json = try JSON.parse(line) } catch { throw .notJSON(error) }
        guard case .object(let object) = json else { throw .notRPC("it is no object") }
        try self.init(object)
    }

    private init(_ object: JSONObject) throws(WireFault) {
        // One pass, because members are few and each look-up is a search.
        var version: JSON?
        var id: JSON?
        var method: JSON?
        var params: JSON?
        var result: JSON?
        var error: JSON?
        for (key, value) in object {
            switch key {
            case "jsonrpc": version = value
            case "id": id = value
            case "method": method = value
            case "params": params = value
            case "result": result = value
            case "error": error = value
            default: break
            }
        }
        guard version == "2.0" else { throw .notRPC("\"jsonrpc\" must be \"2.0\"") }
        if let method {
            guard case .string(let name) = method else { throw .notRPC("\"method\" must be text") }
            let members = try Self.members(params)
            guard let id else {
                self = .notification(method: name, params: members)
                return
            }
            guard let id = WireID(id) else { throw .notRPC("\"id\" must be an integer or text") }
            self = .request(id: id, method: name, params: members)
            return
        }
        try self.init(answerTo: id, result: result, error: error)
    }

    private init(answerTo id: JSON?, result: JSON?, error: JSON?) throws(WireFault) {
        switch (result, error) {
        case (let result?, nil):
            guard let id = id.flatMap(WireID.init) else { throw .notRPC("an answer needs an \"id\"") }
            self = .response(id: id, result: result)
        case (nil, let error?):
            guard let failure = WireFailure(error) else { throw .notRPC("\"error\" needs a \"code\"") }
            guard let id, !id.isNull else {
                self = .failure(id: nil, failure)
                return
            }
            guard let id = WireID(id) else { throw .notRPC("\"id\" must be an integer or text") }
            self = .failure(id: id, failure)
        case (_?, _?): throw .notRPC("it has both \"result\" and \"error\"")
        case (nil, nil): throw .notRPC("it has no \"method\", \"result\" or \"error\"")
        }
    }

    private static func members(_ params: JSON?) throws(WireFault) -> JSONObject {
        switch params {
        case nil, .null: JSONObject()
        case .object(let object): object
        default: throw .notRPC("\"params\" must be an object")
        }
    }
}
