public import HomeModel
public import JSON

/// Every request that the gateway makes of a plugin.
public enum GatewayCall: Sendable {
    case initializeDevices(DevicesCall)
    case initialize(InitializeCall)
    case start
    case stop
    case read(ReadCall)
    case write(WriteCall)
    case invoke(InvokeCall)
    case remove(RemoveCall)
    case configure(ConfigureCall)
    case pairingStart(PairingStartCall)
    case pairingAnswer(PairingAnswerCall)
    /// `pairing/cancel {"session"}`: ends a session; the result is `{}`.
    case pairingCancel(PairingID)
    case diagnostics
    case ping
    case shutdown
}

extension GatewayCall {
    /// Reads a request.
    ///
    /// - Throws: "method not found" or "invalid params".
    public init(method name: String, params: JSONObject) throws(WireFailure) {
        switch WireMethod(rawValue: name) {
        case .write: self = .write(try WriteCall(params: params))
        case .read: self = .read(try ReadCall(params: params))
        case .invoke: self = .invoke(try InvokeCall(params: params))
        case .ping: self = .ping
        case .initializeDevices: self = .initializeDevices(try DevicesCall(params: params))
        case .initialize: self = .initialize(try InitializeCall(params: params))
        case .start: self = .start
        case .stop: self = .stop
        case .remove: self = .remove(try RemoveCall(params: params))
        case .configure: self = .configure(try ConfigureCall(params: params))
        case .pairingStart: self = .pairingStart(try PairingStartCall(params: params))
        case .pairingAnswer: self = .pairingAnswer(try PairingAnswerCall(params: params))
        case .pairingCancel: self = .pairingCancel(try Params(params, of: .pairingCancel).session())
        case .diagnostics: self = .diagnostics
        case .shutdown: self = .shutdown
        default: throw .unknown(name)
        }
    }

    /// The request as a line.
    public func line(id: WireID) -> [UInt8] {
        switch self {
        case .write(let call): call.line(id: id)
        case .initializeDevices(let call): Self.line(id, .initializeDevices, call.params)
        case .initialize(let call): Self.line(id, .initialize, call.params)
        case .start: Self.line(id, .start)
        case .stop: Self.line(id, .stop)
        case .read(let call): Self.line(id, .read, call.params)
        case .invoke(let call): Self.line(id, .invoke, call.params)
        case .remove(let call): Self.line(id, .remove, call.params)
        case .configure(let call): Self.line(id, .configure, call.params)
        case .pairingStart(let call): Self.line(id, .pairingStart, call.params)
        case .pairingAnswer(let call): Self.line(id, .pairingAnswer, call.params)
        case .pairingCancel(let session): Self.line(id, .pairingCancel, ["session": .string(session.text)])
        case .diagnostics: Self.line(id, .diagnostics)
        case .ping: Self.line(id, .ping)
        case .shutdown: Self.line(id, .shutdown)
        }
    }

    private static func line(_ id: WireID, _ method: WireMethod, _ params: JSONObject = JSONObject()) -> [UInt8] {
        WireMessage.request(id: id, method: method.rawValue, params: params).line
    }
}
