import Config
import Glibc

/// Where the configuration is, and reading it for a person.
enum ConfigLocation {
    /// The file that an invocation means.
    ///
    /// - Throws: ``Failure`` with exit 3 where none is given and none is at the usual places.
    static func find(_ invocation: Invocation) throws(Failure) -> String {
        if let path = invocation.options["config"] ?? invocation.operands.first { return path }
        if let path = getenv("LINTEL_CONFIG") { return String(cString: path) }
        let usual = ["./lintel.yaml", "/etc/lintel/lintel.yaml"]
        guard let found = usual.first(where: { access($0, R_OK) == 0 }) else {
            throw Failure(
                .configuration,
                "No configuration found (\(usual.joined(separator: ", "))).",
                hint: "Give one with --config FILE; Config/lintel.yaml shows every key."
            )
        }
        return found
    }

    /// Reads and checks a configuration; all its problems are in the failure's message.
    static func load(_ path: String) throws(Failure) -> Configuration {
        do throws(ConfigProblems) {
            return try Configuration.load(path: path)
        } catch {
            let count = error.problems.count
            throw Failure(
                .configuration,
                "The configuration has \(count) problem\(count == 1 ? "" : "s"):\n\(error.description)"
            )
        }
    }
}
