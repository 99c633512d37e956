public import HomeModel
public import JSON

/// `pairing/answer`: gives what a session asked for.
public struct PairingAnswerCall: Sendable, Equatable {
    /// Which session.
    public var session: PairingID
    /// The answer, secrets included.
    public var input: HiddenObject

    /// Describes an answer.
    public init(session: PairingID, input: HiddenObject) {
        self.session = session
        self.input = input
    }

    /// `{"session","input"}`; holds the secrets in clear.
    public var params: JSONObject { ["session": .string(session.text), "input": .object(input.exposed)] }

    /// Reads the form that ``params`` writes; `input` may be absent.
    public init(params members: JSONObject) throws(WireFailure) {
        let params = Params(members, of: .pairingAnswer)
        session = try params.session()
        input = HiddenObject(try params.optionalObject("input") ?? JSONObject())
    }
}
