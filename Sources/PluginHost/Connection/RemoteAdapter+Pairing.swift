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
        questions.updateValue(nil, forKey: start.session)
        do throws(CommandError) { _ = try await ask(.pairingStart(call), within: deadlines.pairing) } catch {
            questions[start.session] = nil
            throw error
        }
    }

    package func answerPairing(_ session: PairingID, input: JSONObject) async throws(CommandError) {
        learn(input, asked: questions[session] ?? nil)
        let call = PairingAnswerCall(session: session, input: HiddenObject(input))
        _ = try await ask(.pairingAnswer(call), within: deadlines.pairing)
    }

    package func cancelPairing(_ session: PairingID) async {
        // Where it fails, the plugin is down or about to be, and the session with it.
        questions[session] = nil
        _ = try? await ask(.pairingCancel(session), within: deadlines.pairing)
    }

    package func wifiLost(_ session: PairingID, ssid: String) {
        connection?.tell(WiFiLostNote(session: session, ssid: ssid).line)
    }

    /// Takes what a plugin tells of a session: without secrets in its words, and with its question in mind.
    func taken(_ progress: PairingProgress) -> PairingProgress {
        if progress.state.isFinal {
            questions[progress.session] = nil
        } else if questions[progress.session] != nil {
            questions.updateValue(progress.needsInput, forKey: progress.session)
        }
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
    /// Without secrets in what a person reads.
    ///
    /// Names and values to choose from stay, because they come back. A default that holds a secret is left out, and the
    /// plugin, which knows it, gets no answer for that field: what stands in its place must never come back.
    fileprivate func redacted(by redactor: Redactor) -> InputForm {
        var shown = self
        shown.title = redactor.redacted(words: title)
        shown.why = why.map { redactor.redacted(words: $0) }
        shown.error = error.map { $0.redacted(by: redactor) }
        shown.fields = fields.map { field in
            var field = field
            field.title = redactor.redacted(words: field.title)
            field.hint = field.hint.map { redactor.redacted(words: $0) }
            if field.kind == .password { field.fallback = nil }
            if let fallback = field.fallback, redactor.redacted(fallback) != fallback {
                field.fallback = nil
                field.isRequired = false
            }
            return field
        }
        return shown
    }
}
