package import DeviceInterface
import EventLoop
package import HomeModel
package import JSON
import PluginWire

extension RemoteAdapter {
    package func startPairing(_ start: PairingStart) async throws(CommandError) {
        learn(start.input, asked: methods.first { $0.id == start.method }?.form)
        let call = PairingStartCall(
            session: start.session,
            method: start.method,
            home: start.home,
            from: start.from,
            input: HiddenObject(start.input)
        )
        _ = try await ask(.pairingStart(call), within: deadlines.pairing)
    }

    package func answerPairing(_ session: PairingID, input: JSONObject) async throws(CommandError) {
        learn(input, asked: questions[session])
        let call = PairingAnswerCall(session: session, input: HiddenObject(input))
        _ = try await ask(.pairingAnswer(call), within: deadlines.pairing)
    }

    package func cancelPairing(_ session: PairingID) async {
        // Where it fails, the plugin is down or about to be, and the session with it.
        _ = try? await ask(.pairingCancel(session), within: deadlines.pairing)
        questions[session] = nil
    }

    package func wifiLost(_ session: PairingID, ssid: String) {
        connection?.tell(WiFiLostNote(session: session, ssid: ssid).line)
    }

    /// Takes what a plugin tells of a session: without secrets in its words, and with its question in mind.
    func taken(_ progress: PairingProgress) -> PairingProgress {
        questions[progress.session] = progress.needsInput
        var shown = progress
        let redactor = recorder.redactor
        shown.message = progress.message.map { redactor.redacted(words: $0) }
        shown.failure = progress.failure.map { $0.redacted(by: redactor) }
        shown.needsInput = progress.needsInput.map { $0.redacted(by: redactor) }
        if !progress.data.isEmpty { shown.data = redactor.redacted(.object(progress.data)).objectValue ?? JSONObject() }
        return shown
    }

    /// Remembers the secrets of what a person gave, before it is on the wire.
    ///
    /// - Parameter form: says which members are secrets besides those whose key says so.
    private func learn(_ input: JSONObject, asked form: InputForm?) {
        let hidden = (form?.fields ?? []).filter { $0.kind == .password }.map(\.name)
        recorder.learn(inputKeys: hidden)
        recorder.learn(from: .object(input))
        for name in hidden {
            if let text = input[name]?.stringValue { recorder.learn(Secrets([name: text])) }
        }
        // A list of devices with their keys may have been pasted as text.
        for (_, value) in input {
            if let text = value.stringValue, let json = try? JSON.parse(text) { recorder.learn(from: json) }
        }
    }
}

extension PairingFailure {
    fileprivate func redacted(by redactor: Redactor) -> PairingFailure {
        var shown = self
        shown.message = redactor.redacted(words: message)
        shown.hint = hint.map { redactor.redacted(words: $0) }
        return shown
    }
}

extension InputForm {
    /// Without secrets in what a person reads; names and values to choose from stay, because they come back.
    fileprivate func redacted(by redactor: Redactor) -> InputForm {
        var shown = self
        shown.title = redactor.redacted(words: title)
        shown.why = why.map { redactor.redacted(words: $0) }
        shown.error = error.map { $0.redacted(by: redactor) }
        shown.fields = fields.map { field in
            var field = field
            field.title = redactor.redacted(words: field.title)
            field.hint = field.hint.map { redactor.redacted(words: $0) }
            field.fallback = field.kind == .password ? nil : field.fallback.map { redactor.redacted($0) }
            return field
        }
        return shown
    }
}
