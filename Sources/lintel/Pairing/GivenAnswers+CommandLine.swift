import EventLoop
import Glibc
import HomeModel

extension GivenAnswers {
    /// Reads the options `--set`, `--secret-ref`, `--ssid`, `--password-file` and `--yes`.
    ///
    /// - Parameter isAtTerminal: whether standard input is a terminal, where `-` means to be asked.
    /// - Throws: ``Failure`` with exit 2 for what cannot be understood or read.
    static func read(_ invocation: Invocation, isAtTerminal: Bool) async throws -> GivenAnswers {
        var answers: [(field: String, given: Given)] = []
        if let ssid = invocation.options["ssid"] { answers.append(("ssid", .plain(ssid))) }
        if let path = invocation.options["password-file"] { answers.append(("password", try file(path))) }
        for text in invocation.all("secret-ref") {
            let (field, name) = try pair(text, "--secret-ref")
            answers.append((field, .reference(name)))
        }
        for text in invocation.all("set") {
            let (field, value) = try pair(text, "--set")
            if value == "-" {
                guard !isAtTerminal else { continue }
                answers.append((field, try await standardInput(for: field)))
            } else if value.hasPrefix("@@") {
                answers.append((field, .plain(String(value.dropFirst()))))
            } else if value.hasPrefix("@") {
                answers.append((field, try file(String(value.dropFirst()))))
            } else {
                answers.append((field, .plain(value)))
            }
        }
        return GivenAnswers(answers, goesAhead: invocation.flag("yes"))
    }

    private static func pair(_ text: String, _ option: String) throws(Failure) -> (String, String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty else {
            throw Failure(.usage, "\(option) takes field=value.", hint: "See lintel help pair.")
        }
        return (parts[0], parts[1])
    }

    private static func file(_ path: String) throws(Failure) -> Given {
        guard let bytes = Files.read(path, limit: 64 << 10) else {
            throw Failure(.usage, "\(path) cannot be read.")
        }
        return try text(bytes, from: path)
    }

    /// A line of standard input; each answer takes the next.
    private static func standardInput(for field: String) async throws -> Given {
        let line = try await Loop.offload { readLine(strippingNewline: true) }
        guard let line else { throw Failure(.usage, "Standard input has no line for \(field).") }
        return .secret(line.hasSuffix("\r") ? String(line.dropLast()) : line)
    }

    /// A file's text without the line break at its end, which editors put there.
    private static func text(_ bytes: [UInt8], from path: String) throws(Failure) -> Given {
        guard var text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.usage, "\(path) is not text.")
        }
        if text.last?.isNewline == true { text.removeLast() }
        return .secret(text)
    }
}
