public import HomeModel
public import JSON

/// Every notification that a plugin sends.
public enum PluginNote: Sendable, Equatable {
    case added(DescribedNote)
    case changed(DescribedNote)
    case removed(VendorID)
    case state(StateNote)
    case event(EventNote)
    case connectivity(ConnectivityNote)
    case progress(ProgressNote)
    case status(StatusNote)
    case log(LogNote)
}

extension PluginNote {
    /// Reads a notification.
    ///
    /// - Returns: nil for one that is not known, which is to be ignored.
    /// - Throws: "invalid params".
    public init?(method name: String, params: JSONObject) throws(WireFailure) {
        switch WireMethod(rawValue: name) {
        case .deviceState: self = .state(try StateNote(params: params))
        case .deviceEvent: self = .event(try EventNote(params: params))
        case .deviceConnectivity: self = .connectivity(try ConnectivityNote(params: params))
        case .deviceAdded: self = .added(try DescribedNote(params: params, of: .deviceAdded))
        case .deviceChanged: self = .changed(try DescribedNote(params: params, of: .deviceChanged))
        case .deviceRemoved: self = .removed(try Params(params, of: .deviceRemoved).device())
        case .pairingProgress: self = .progress(try ProgressNote(params: params))
        case .status: self = .status(try StatusNote(params: params))
        case .log: self = .log(try LogNote(params: params))
        default: return nil
        }
    }

    /// The notification as a line.
    public var line: [UInt8] {
        switch self {
        case .state(let note): note.line
        case .added(let note): Self.line(.deviceAdded, note.params)
        case .changed(let note): Self.line(.deviceChanged, note.params)
        case .removed(let device): Self.line(.deviceRemoved, ["device": .string(device.text)])
        case .event(let note): Self.line(.deviceEvent, note.params)
        case .connectivity(let note): Self.line(.deviceConnectivity, note.params)
        case .progress(let note): Self.line(.pairingProgress, note.params)
        case .status(let note): Self.line(.status, note.params)
        case .log(let note): Self.line(.log, note.params)
        }
    }

    private static func line(_ method: WireMethod, _ params: JSONObject) -> [UInt8] {
        WireMessage.notification(method: method.rawValue, params: params).line
    }
}
