import EventLoop

/// Orders to wpa_supplicant, by `wpa_cli`.
@Loop
struct SupplicantControl {
    static let program = "wpa_cli"
    private static let deadline = Duration.seconds(10)

    let programs: Programs

    /// Whether a supplicant answers for an interface.
    func answers(on interface: String) async throws(WiFiError) -> Bool {
        let output = try await programs.run(Self.program, ["-i", interface, "ping"], deadline: Self.deadline)
        return output.text.contains("PONG")
    }

    /// The values of `status`.
    func status(on interface: String) async throws(WiFiError) -> [String: String] {
        SupplicantText.status(try await ask(["status"], on: interface))
    }

    /// The networks that are configured.
    func networks(on interface: String) async throws(WiFiError) -> [SupplicantText.Network] {
        SupplicantText.networks(try await ask(["list_networks"], on: interface))
    }

    /// Scans and returns what is in reach after `time`.
    func scan(on interface: String, _ time: Duration) async throws(WiFiError) -> [SupplicantText.Entry] {
        let answer = try await ask(["scan"], on: interface)
        // A scan that is under way already is as good.
        guard answer.hasPrefix("OK") || answer.hasPrefix("FAIL-BUSY") else {
            throw .program(Self.program, words: "scan: \(answer.prefix(80))")
        }
        do { try await Loop.sleep(for: time) } catch { throw .cancelled }
        return SupplicantText.scanResults(try await ask(["scan_results"], on: interface))
    }

    /// Adds an empty network.
    ///
    /// - Returns: its number.
    func addNetwork(on interface: String) async throws(WiFiError) -> String {
        let answer = try await ask(["add_network"], on: interface)
        guard let id = answer.split(separator: "\n").last, Int(id) != nil else {
            throw .output(program: Self.program, "add_network: \(answer.prefix(80))")
        }
        return String(id)
    }

    /// Sets a variable of a network that is no secret.
    func set(_ id: String, _ variable: String, _ value: String, on interface: String) async throws(WiFiError) {
        try await order(["set_network", id, variable, value], on: interface)
    }

    /// Sets a network's password by the standard input of `wpa_cli`, which no list of processes shows.
    ///
    /// - Returns: false for one that the supplicant does not take, of 7 characters for example.
    func setSecret(_ id: String, _ secret: String, isSAE: Bool, on interface: String) async throws(WiFiError) -> Bool {
        guard !secret.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else {
            return false
        }
        // 64 hexadecimal digits are the key itself.
        let isKey = !isSAE && secret.utf8.count == 64 && secret.utf8.allSatisfy { HexName.value($0) != nil }
        let value = isKey ? secret : "\"\(secret)\""
        let line = "set_network \(id) \(isSAE ? "sae_password" : "psk") \(value)\nquit\n"
        let output = try await programs.run(
            Self.program,
            ["-i", interface],
            input: Array(line.utf8),
            deadline: Self.deadline
        )
        // The line itself may be echoed, so that only whole lines count, and none of this is logged.
        return output.text.split { $0 == "\n" || $0 == "\r\n" }.contains("OK")
    }

    /// Gives an order that is answered with `OK`.
    func order(_ words: [String], on interface: String) async throws(WiFiError) {
        let answer = try await ask(words, on: interface)
        guard answer.hasPrefix("OK") else {
            throw .program(Self.program, words: "\(words[0]): \(answer.prefix(80))")
        }
    }

    private func ask(_ words: [String], on interface: String) async throws(WiFiError) -> String {
        let output = try await programs.run(Self.program, ["-i", interface] + words, deadline: Self.deadline)
        guard output.status.isSuccess else {
            // It tells on stdout that it cannot connect.
            let line = output.text.split(separator: "\n").last.map { String($0.prefix(200)) }
            throw .program(Self.program, words: line ?? output.complaint)
        }
        return output.text
    }
}
