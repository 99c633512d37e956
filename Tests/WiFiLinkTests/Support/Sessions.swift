import DeviceInterface
import EventLoop
import HomeModel
import Hub
import JSON
import Log
import Testing
import WiFiLink

/// Sessions of tests.
enum Sessions {
    static let first = PairingID("p-1")
    static let second = PairingID("p-2")

    /// Answers each question with "continue".
    static let prompt: WiFiPrompt = { _ throws(CommandError) in JSONObject() }
}

extension WiFiLink {
    /// Joins for the first session.
    func join(_ ssid: String, _ passphrase: String? = nil) async throws -> WiFiPlace {
        let session = try #require(Sessions.first)
        let join = WiFiJoin(session: session, ssid: ssid, passphrase: passphrase)
        return try await self.join(join, prompt: Sessions.prompt)
    }

    /// Leaves for the first session.
    func leave() async throws {
        try await leave(for: try #require(Sessions.first), prompt: Sessions.prompt)
    }
}

/// The code of the error that `body` throws.
@Loop
func failure(_ body: @Loop () async throws -> Void) async -> ErrorCode? {
    do {
        try await body()
        return nil
    } catch let error as CommandError {
        return error.code
    } catch {
        return nil
    }
}
