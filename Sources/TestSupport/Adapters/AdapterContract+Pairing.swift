import DeviceInterface
import EventLoop
import HomeModel
import JSON

@Loop
extension AdapterContract {
    private static func session(_ number: Int = 1) -> PairingID {
        PairingID.derived(from: "p-c0\(number)", isTaken: { _ in false }, digest: { $0 })
    }

    func pairsWithOneEnd(_ subject: Subject) async throws(Breach) {
        guard let pairing = subject.pairing else { return }
        let session = Self.session()
        let told = try await pair(subject, pairing, session)
        guard let end = told.last, end.state.isFinal else { throw Breach(description: "\(rawValue): no end") }
        try demand(end.state == .succeeded, "it ended as \(end.state): \(end.failure?.message ?? "no reason")")
        try demand(!end.devices.isEmpty, "it succeeded without a device")
        for device in end.devices {
            let place = subject.host.entries.firstIndex { entry in
                if case .described(let description, _) = entry { description.vendorID == device } else { false }
            }
            let endPlace = subject.host.entries.firstIndex { entry in
                if case .progress(let progress) = entry { progress == end } else { false }
            }
            guard let place, let endPlace, place < endPlace else {
                throw Breach(description: "\(rawValue): \(device) was not described before the end")
            }
        }
        var steps: [String] = []
        for progress in told {
            if !progress.steps.isEmpty { steps = progress.steps }
            try demand(steps.contains(progress.step), "the step \(progress.step) is none of \(steps)")
            try demand(Set(steps).count == steps.count, "a step is there twice: \(steps)")
            try demand(progress.percent.map { (0...100).contains($0) } ?? true, "\(progress.percent ?? 0) percent")
            try demand((progress.state == .needsInput) == (progress.needsInput != nil), "a state without its question")
            try demand(progress.state == .succeeded || progress.devices.isEmpty, "devices before the end")
        }
        // Whatever came after the end would have come before the answer to one more call.
        _ = await subject.adapter.diagnostics()
        let ends = subject.host.progress(of: session).filter(\.state.isFinal)
        try demand(ends.count == 1 && subject.host.progress(of: session).last == end, "it went on after its end")
    }

    func keepsSecretsOfPairing(_ subject: Subject) async throws(Breach) {
        guard let pairing = subject.pairing else { return }
        _ = try await pair(subject, pairing, Self.session())
        for entry in subject.host.entries {
            // The secrets that come with a description are there to be kept.
            let text =
                switch entry {
                case .described(let description, _): "\(description)"
                default: "\(entry)"
                }
            for secret in pairing.secrets where text.contains(secret) {
                throw Breach(description: "\(rawValue): a secret of the input was told")
            }
        }
        let facts = await subject.adapter.diagnostics().text
        try demand(!pairing.secrets.contains { facts.contains($0) }, "a secret of the input is in the diagnostics")
    }

    func cancelsPairingInSilence(_ subject: Subject) async throws(Breach) {
        guard let pairing = subject.pairing else { return }
        for number in 1...3 {
            let session = Self.session(number)
            try await start(subject, pairing, session)
            // At once, after the first word, and, where there is one, at its question.
            if number > 1 { await subject.host.until { !subject.host.progress(of: session).isEmpty } }
            if number > 2 {
                _ = await subject.host.progress(of: session) { $0.state.isFinal || $0.state == .needsInput }
            }
            await subject.adapter.cancelPairing(session)
            let told = subject.host.progress(of: session)
            try demand(told.filter(\.state.isFinal).count <= 1, "it has more than one end")
            await subject.adapter.cancelPairing(session)
            try await demandUnknown(session, subject)
            _ = await subject.adapter.diagnostics()
            try demand(subject.host.progress(of: session) == told, "it went on after it was cancelled")
        }
        // What was cancelled does not stand in the way of the next.
        _ = try await pair(subject, pairing, Self.session(4))
    }

    func refusesUnknownSessions(_ subject: Subject) async throws(Breach) {
        try await demandUnknown(Self.session(), subject)
        await subject.adapter.cancelPairing(Self.session())
        subject.adapter.wifiLost(Self.session(), ssid: "nowhere")
        guard let pairing = subject.pairing else { return }
        _ = try await pair(subject, pairing, Self.session())
        try await demandUnknown(Self.session(), subject)
    }

    func refusesUnknownMethods(_ subject: Subject) async throws(Breach) {
        let start = PairingStart(session: Self.session(), method: "no-such-method", home: nil, input: JSONObject())
        do throws(CommandError) { try await subject.adapter.startPairing(start) } catch {
            try demand(error.code == .capabilityMissing, "it gave \(error.code.rawValue)")
            try demand(subject.host.progress(of: start.session).isEmpty, "it told of a session that there is not")
            return
        }
        throw Breach(description: "\(rawValue): it was started")
    }

    private func demandUnknown(_ session: PairingID, _ subject: Subject) async throws(Breach) {
        do throws(CommandError) { try await subject.adapter.answerPairing(session, input: JSONObject()) } catch {
            return try demand(error.code == .badRequest, "an answer to nothing gave \(error.code.rawValue)")
        }
        throw Breach(description: "\(rawValue): an answer to nothing was taken")
    }

    private func start(_ subject: Subject, _ pairing: Pairing, _ session: PairingID) async throws(Breach) {
        let start = PairingStart(session: session, method: pairing.method, home: nil, input: pairing.input)
        do throws(CommandError) { try await subject.adapter.startPairing(start) } catch {
            throw Breach(description: "\(rawValue): start: \(error.code.rawValue), \(error.message)")
        }
    }

    /// Goes through a session, answering what it asks.
    private func pair(
        _ subject: Subject,
        _ pairing: Pairing,
        _ session: PairingID
    ) async throws(Breach) -> [PairingProgress] {
        try await start(subject, pairing, session)
        var seen = 0
        while true {
            let known = seen
            await subject.host.until { subject.host.progress(of: session).count > known }
            let told = subject.host.progress(of: session)
            guard let newest = told.last, !newest.state.isFinal else { return told }
            seen = told.count
            guard let form = newest.needsInput else { continue }
            do throws(CommandError) {
                try await subject.adapter.answerPairing(session, input: try form.checked(pairing.answer(form)))
            } catch {
                throw Breach(description: "\(rawValue): answer: \(error.code.rawValue), \(error.message)")
            }
        }
    }
}
