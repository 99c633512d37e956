import EventLoop
import JSON

extension ClientVerbs {
    /// `lintel pair`.
    func pair() async throws -> ExitCode {
        if invocation.flag("list") {
            var arguments = JSONObject()
            if let plugin = invocation.operands.first { arguments["plugin"] = .string(plugin) }
            return try await ask("pairing/methods", arguments, show: Listing.methods)
        }
        do {
            return try await PairVerb(invocation: invocation, gateway: gateway, terminal: terminal).perform()
        } catch let refusal as PairVerb.Refusal {
            return finish(refusal.answer, data: "data")
        }
    }

    /// `lintel pair status`.
    func pairStatus() async throws -> ExitCode {
        var arguments = JSONObject()
        if let session = invocation.operands.first { arguments["session"] = .string(session) }
        return try await ask("pairing/status", arguments, show: Listing.sessions)
    }

    /// `lintel pair history`.
    func pairHistory() async throws -> ExitCode {
        var arguments = JSONObject()
        arguments["limit"] = try limit()
        return try await ask("pairing/history", arguments, show: Listing.pairings)
    }
}
