public import HomeModel
public import JSON

/// `pairing/progress`: a pairing session went on, asks for something, or ended.
public struct ProgressNote: Sendable, Equatable {
    /// How far the session is.
    public var progress: PairingProgress

    /// Wraps progress.
    public init(_ progress: PairingProgress) { self.progress = progress }

    /// `{"session","state","step","steps"?,"percent"?,"message"?,"needsInput"?,"error"?,"devices"?,"data"?}`.
    public var params: JSONObject {
        var params: JSONObject = ["session": .string(progress.session.text), "state": .string(progress.state.rawValue)]
        params["step"] = .string(progress.step)
        if !progress.steps.isEmpty { params["steps"] = .array(progress.steps.map(JSON.string)) }
        if let percent = progress.percent { params["percent"] = JSON(percent) }
        if let message = progress.message { params["message"] = .string(message) }
        if let form = progress.needsInput { params["needsInput"] = form.json }
        if let failure = progress.failure { params["error"] = failure.json }
        if !progress.devices.isEmpty { params["devices"] = .array(progress.devices.map { .string($0.text) }) }
        if !progress.data.isEmpty { params["data"] = .object(progress.data) }
        return params
    }

    /// The note as it fits into a line: what a session can do without is left out where there is too much of it, so that
    /// its end is never lost.
    public var fitting: ProgressNote {
        guard !fits else { return self }
        var brief = progress
        brief.data = JSONObject()
        guard !ProgressNote(brief).fits else { return ProgressNote(brief) }
        brief = PairingProgress(session: progress.session, state: progress.state, step: progress.step.cut)
        brief.devices = Array(progress.devices.prefix(1000))
        brief.failure = progress.failure.map { PairingFailure($0.code, $0.message.cut, step: $0.step?.cut) }
        if progress.state == .needsInput {
            // A question that cannot be asked is never answered.
            brief.state = .failed
            brief.failure = PairingFailure(.init(.tooLarge), "The question is longer than a line may be.")
        }
        return ProgressNote(brief)
    }

    private var fits: Bool { PluginNote.progress(self).line.count <= LineDecoder.maxLineBytes }

    /// Reads the form that ``params`` writes.
    ///
    /// A percentage is cut to 0...100. A failure that cannot be read does not keep the end of a session from arriving.
    public init(params members: JSONObject) throws(WireFailure) {
        let params = Params(members, of: .pairingProgress)
        let session = try params.session()
        guard let state = PairingProgress.State(rawValue: try params.text("state")) else {
            throw params.invalid("\"state\" must be running, needs_input, succeeded, failed or cancelled.")
        }
        progress = PairingProgress(session: session, state: state, step: try params.text("step"))
        progress.steps = try params.texts("steps") ?? []
        progress.percent = try params.optionalInteger("percent").map { min(100, max(0, $0)) }
        progress.message = try params.optionalText("message")
        progress.devices = try params.devices("devices")
        progress.data = try params.optionalObject("data") ?? JSONObject()
        if state == .needsInput {
            guard let form = members["needsInput"].flatMap(InputForm.init(json:)) else {
                throw params.invalid("\"needsInput\" must be a form.")
            }
            progress.needsInput = form
        }
        guard state == .failed else { return }
        progress.failure =
            members["error"].flatMap(PairingFailure.init(json:))
            ?? PairingFailure(.init(.internal), "The plugin gave no reason.", step: progress.step)
    }
}

extension String {
    /// At most 1000 characters of it.
    fileprivate var cut: String { String(prefix(1000)) }
}
