public import HomeModel
public import JSON

/// `pairing/start`: begins a pairing session.
public struct PairingStartCall: Sendable, Equatable {
    /// Which session; the gateway chooses it.
    public var session: PairingID
    /// One of the methods in the plugin's manifest.
    public var method: String
    /// The home that the device shall belong to.
    public var home: HomeID?
    /// The step to begin at, after a session that failed.
    public var from: String?
    /// What the person gave, secrets included.
    public var input: HiddenObject

    /// Describes a session to begin.
    public init(
        session: PairingID,
        method: String,
        home: HomeID? = nil,
        from: String? = nil,
        input: HiddenObject = HiddenObject([:])
    ) {
        self.session = session
        self.method = method
        self.home = home
        self.from = from
        self.input = input
    }

    /// `{"session","method","home"?,"from"?,"input"}`; holds the secrets in clear.
    public var params: JSONObject {
        var params: JSONObject = ["session": .string(session.text), "method": .string(method)]
        if let home { params["home"] = .string(home.text) }
        if let from { params["from"] = .string(from) }
        params["input"] = .object(input.exposed)
        return params
    }

    /// Reads the form that ``params`` writes; `input` may be absent.
    public init(params members: JSONObject) throws(WireFailure) {
        let params = Params(members, of: .pairingStart)
        session = try params.session()
        method = try params.text("method")
        if let text = try params.optionalText("home") {
            guard let id = HomeID(text) else { throw params.invalid("\"home\" must be the id of a home.") }
            home = id
        }
        from = try params.optionalText("from")
        input = HiddenObject(try params.optionalObject("input") ?? JSONObject())
    }
}
