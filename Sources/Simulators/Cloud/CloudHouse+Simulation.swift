internal import JSON

extension CloudHouse {
    /// The requests that only the simulator has; they are neither signed nor counted.
    ///
    /// - `POST /sim/activate` with ``CloudActivation/json``.
    /// - `POST /sim/fault` with a ``CloudFault``, or `{"clear":true}`.
    /// - `POST /sim/refuse` `{"code","msg"}`: what the next device that activates is refused with.
    /// - `POST /sim/clock` `{"ahead_ms":n}` or `{"advance_ms":n}`.
    /// - `POST /sim/unlink` `{"client_id"?,"on":true|false}`.
    /// - `GET /sim/state`: devices, tokens and counts.
    mutating func simulate(_ request: HTTPRequest) -> HTTPAnswer {
        let body = (try? JSON.parse(request.body)) ?? .null
        switch (request.method, request.path) {
        case ("POST", "/sim/activate"): return activate(body)
        case ("POST", "/sim/fault"):
            if body["clear"]?.boolValue == true {
                faults = []
            } else if let fault = CloudFault(json: body) {
                faults.append(fault)
            } else {
                return Self.nonsense
            }
        case ("POST", "/sim/refuse"):
            guard let code = body["code"]?.stringValue else { return Self.nonsense }
            activationRefusals.append((code, body["msg"]?.stringValue ?? ""))
        case ("POST", "/sim/clock"):
            guard let change = (body["ahead_ms"] ?? body["advance_ms"])?.intValue else { return Self.nonsense }
            clockAhead = body["ahead_ms"] == nil ? clockAhead + Int64(change) : Int64(change)
        case ("POST", "/sim/unlink"):
            for index in accounts.indices
            where body["client_id"] == nil || body["client_id"]?.stringValue == accounts[index].clientID {
                accounts[index].isLinked = body["on"]?.boolValue == false
            }
        case ("GET", "/sim/state"): return .json(state)
        default: return HTTPAnswer(status: 404)
        }
        return .json(["success": true])
    }

    private static let nonsense = HTTPAnswer.json(["success": false, "error": "bad_request"], status: 400)

    private mutating func activate(_ body: JSON) -> HTTPAnswer {
        do throws(CloudActivation.Refusal) {
            guard let activation = CloudActivation(json: body) else { throw .badRequest }
            return .json(try activate(activation, at: now - clockAhead).json)
        } catch {
            return .json(["success": false, "error": .string(error.rawValue)])
        }
    }

    private var state: JSON {
        [
            "t": .integer(now), "requests": JSON(journal.count),
            "devices": .array(
                devices.map { device in
                    [
                        "id": .string(device.id), "uuid": .string(device.uuid), "local_key": .string(device.localKey),
                        "owner": device.owner.map { .string($0) } ?? .null,
                        "home": device.home.map { JSON($0) } ?? .null,
                    ]
                }
            ),
            "tokens": .array(
                pairingTokens.map { token in
                    [
                        "token": .string(token.token), "home": JSON(token.home), "used": .bool(token.isUsed),
                        "expired": .bool(now >= token.expires), "joined": .array(token.joined.map { .string($0) }),
                    ]
                }
            ),
        ]
    }
}
