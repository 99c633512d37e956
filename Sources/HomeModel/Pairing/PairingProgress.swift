public import JSON

/// How far a pairing session is, as its plugin tells it; the newest replaces those before.
public struct PairingProgress: Equatable, Sendable {
    /// The states of a session that a plugin may tell.
    public enum State: String, Sendable, CaseIterable {
        case running
        /// It waits for an answer to ``PairingProgress/needsInput``.
        case needsInput = "needs_input"
        case succeeded
        case failed
        case cancelled

        /// Whether nothing comes after it.
        public var isFinal: Bool { self == .succeeded || self == .failed || self == .cancelled }
    }

    /// Which session.
    public var session: PairingID
    /// How it is.
    public var state: State
    /// The step under way, one of ``steps``.
    public var step: String
    /// All steps in order, as far as they are known; empty: as said before.
    public var steps: [String]
    /// 0 to 100, where it can be told.
    public var percent: Int?
    /// One sentence for a person: what happens, or what to do now; no secrets.
    public var message: String?
    /// The question, with ``State/needsInput``.
    public var needsInput: InputForm?
    /// Why it failed, with ``State/failed``.
    public var failure: PairingFailure?
    /// The devices that came in, with ``State/succeeded``; each was described before.
    public var devices: [VendorID]
    /// More facts for a program, such as the networks that a device sees; no secrets.
    public var data: JSONObject

    /// Describes progress.
    public init(
        session: PairingID,
        state: State = .running,
        step: String,
        steps: [String] = [],
        percent: Int? = nil,
        message: String? = nil,
        needsInput: InputForm? = nil,
        failure: PairingFailure? = nil,
        devices: [VendorID] = [],
        data: JSONObject = JSONObject()
    ) {
        self.session = session
        self.state = state
        self.step = step
        self.steps = steps
        self.percent = percent
        self.message = message
        self.needsInput = needsInput
        self.failure = failure
        self.devices = devices
        self.data = data
    }
}
