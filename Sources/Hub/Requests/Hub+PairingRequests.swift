import EventLoop
import HomeModel
import JSON

extension Hub {
    func addPairingRequests() {
        requests.add("pairing/methods", primary: "plugin") { [unowned self] in try listMethods($0) }
        requests.addAnswering("pairing/start") { [unowned self] in .accepted(try await startPairing($0)) }
        requests.add("pairing/answer") { [unowned self] in try await answerPairing($0) }
        requests.add("pairing/cancel", primary: "session") { [unowned self] in try await cancelPairing($0) }
        requests.add("pairing/status", primary: "session") { [unowned self] in
            if $0["session"] != nil { return try pairing($0).payload }
            return ["sessions": .array(pairings.all.map { .object($0.payload) })]
        }
        requests.addAnswering("pairing/retry", primary: "session") { [unowned self] in
            .accepted(try await retryPairing($0))
        }
        requests.add("pairing/history") { [unowned self] in
            let limit = try $0.integer("limit", in: 1...200, default: 20)
            return ["sessions": .array(try await store.pairings(limit: limit).map(\.json))]
        }
        requests.add("wifi/status") { [unowned self] _ in await wifiStatus() }
        requests.add("wifi/scan") { [unowned self] _ in
            ["networks": .array(try await pairings.radio.scan(for: nil).map(\.requestJSON))]
        }
    }

    private func listMethods(_ arguments: RequestArguments) throws(CommandError) -> JSONObject {
        var wanted = plugins?.summaries ?? []
        if let text = try arguments.optionalString("plugin") {
            let id = try pairingPlugin(text)
            wanted = wanted.filter { $0.id == id }
        }
        let list: [JSON] = wanted.map { plugin in
            let methods = plugins?.pairingMethods(of: plugin.id) ?? []
            return [
                "id": .string(plugin.id.text), "name": .string(plugin.name), "methods": .array(methods.map(\.json)),
            ]
        }
        return ["plugins": .array(list)]
    }

    private func startPairing(_ arguments: RequestArguments) async throws(CommandError) -> JSONObject {
        let plugin = try pairingPlugin(try arguments.string("plugin"))
        let method = try pairingMethod(try arguments.optionalString("method"), of: plugin)
        var plan = PairingPlan(plugin: plugin, method: method.id)
        if let text = try arguments.optionalString("home") {
            plan.home = try home(text).id
            plan.isHomeChosen = true
        }
        if let text = try arguments.optionalString("room") {
            let found = try room(text)
            guard plan.home == nil || plan.home == found.home else {
                throw CommandError(.conflict, "The room \(text) is in another home.")
            }
            (plan.home, plan.room, plan.isHomeChosen) = (found.home, found.room.id, true)
        }
        if plan.home == nil, homes.count == 1 { plan.home = homes.first?.id }
        if let text = try arguments.optionalString("name") {
            guard let name = DeviceName.cleaned(text) else {
                throw CommandError(.badRequest, "A name has 1 to \(DeviceName.maxCharacters) plain characters.")
            }
            plan.name = name
        }
        var reader = PairingInputReader(named: namedSecrets)
        var input = try reader.start(arguments)
        if let form = method.form { input = try form.checked(input) }
        let pairing = try await pairings.start(plan, input: input, form: method.form, secrets: reader.used)
        return ["session": .string(pairing.id.text)]
    }

    private func answerPairing(_ arguments: RequestArguments) async throws(CommandError) -> JSONObject {
        let pairing = try pairing(arguments)
        var reader = PairingInputReader(named: namedSecrets)
        let answer = try reader.answer(arguments, to: pairing.session.question)
        try await pairing.answer(answer, given: reader.used)
        return pairing.summary
    }

    /// Answers when the session has ended, or after a while: a radio that a person moves takes its time.
    private func cancelPairing(_ arguments: RequestArguments) async throws(CommandError) -> JSONObject {
        let pairing = try pairing(arguments)
        pairing.take(.cancel)
        await pairing.ended(orAfter: .seconds(10))
        return pairing.summary
    }

    private func retryPairing(_ arguments: RequestArguments) async throws(CommandError) -> JSONObject {
        let old = try pairing(arguments)
        guard let end = old.session.end, old.isEnded else {
            throw CommandError(.conflict, "The session has not ended yet.", hint: "Cancel it, or answer what it asks.")
        }
        if case .succeeded = end { throw CommandError(.conflict, "The session succeeded; there is nothing to retry.") }
        if let next = pairings.retry(of: old.id) {
            // What the first was given is with the next one now.
            throw CommandError(
                .conflict,
                "The session is tried again already, as \(next).",
                hint: "Retry that one when it has ended.",
                details: ["session": .string(next.text)]
            )
        }
        let method = try pairingMethod(old.plan.method, of: old.plan.plugin)
        var reader = PairingInputReader(named: namedSecrets)
        var input = old.held
        for (key, value) in try reader.start(arguments) { input[key] = value }
        if let form = method.form {
            // What was answered on the way may be something that the method does not take at its start.
            for key in old.held.keys where !form.fields.contains(where: { $0.name == key }) { input[key] = nil }
            input = try form.checked(input)
        }
        var plan = old.plan
        plan.from = end.failure?.retryFrom
        plan.retryOf = old.id
        let pairing = try await pairings.start(
            plan,
            input: input,
            form: method.form,
            secrets: reader.used + old.session.secrets.exposed
        )
        old.forgetSecrets()
        return ["session": .string(pairing.id.text)]
    }

    private func wifiStatus() async -> JSONObject {
        guard let wifi else {
            let finding = WiFiFinding(
                .failure,
                check: "way",
                "The gateway has no way to move a radio.",
                hint: "See wifi in the configuration."
            )
            return ["way": "off", "session": nil, "findings": [finding.json]]
        }
        let findings = await wifi.preflight()
        let holder = pairings.radio.holder.map { JSON.string($0.text) }
        return ["way": .string(wifi.way), "session": holder ?? .null, "findings": .array(findings.map(\.json))]
    }

    // MARK: - Names

    private func pairing(_ arguments: RequestArguments) throws(CommandError) -> Pairing {
        let text = try arguments.string("session")
        guard let id = PairingID(text), let pairing = pairings.session(id) else {
            throw CommandError(
                .badRequest,
                "No pairing session \"\(text.prefix(64))\".",
                hint: "pairing/status lists those there are, pairing/history those before."
            )
        }
        return pairing
    }

    private func pairingPlugin(_ text: String) throws(CommandError) -> PluginID {
        let known = plugins?.summaries.map(\.id) ?? []
        guard let id = PluginID(text), known.contains(id) else {
            let names = known.map(\.text).joined(separator: ", ")
            throw CommandError(.pluginNotFound, "No plugin with id \(text.prefix(64)).", hint: "Plugins: \(names).")
        }
        return id
    }

    /// The method with an id, or the first one that the plugin lists.
    private func pairingMethod(_ text: String?, of plugin: PluginID) throws(CommandError) -> PairingMethod {
        let methods = plugins?.pairingMethods(of: plugin) ?? []
        guard let first = methods.first else {
            throw CommandError(.capabilityMissing, "The plugin \(plugin) pairs no devices.")
        }
        guard let text else { return first }
        guard let method = methods.first(where: { $0.id == text }) else {
            throw CommandError(
                .capabilityMissing,
                "The plugin \(plugin) has no method \"\(text.prefix(64))\".",
                hint: "Methods: \(methods.map(\.id).joined(separator: ", "))."
            )
        }
        return method
    }
}

extension WiFiSighting {
    /// `{"ssid","bssid"?,"signal"?,"frequency"?,"secured"}`.
    fileprivate var requestJSON: JSON {
        var object: JSONObject = ["ssid": .string(ssid)]
        if let bssid { object["bssid"] = .string(bssid) }
        if let signal { object["signal"] = .integer(Int64(signal)) }
        if let frequency { object["frequency"] = .integer(Int64(frequency)) }
        object["secured"] = .bool(isSecured)
        return .object(object)
    }
}
