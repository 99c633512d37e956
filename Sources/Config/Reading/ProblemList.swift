/// Gathers what is wrong while a file is read.
final class ProblemList {
    let file: String
    private(set) var problems: [ConfigProblem] = []
    private(set) var warnings: [ConfigProblem] = []
    /// Every key of the gateway's own that was asked for, for the test of the sample file.
    private(set) var knownKeys: Set<String> = []
    let isReadableByOthers: Bool

    /// What to say of a secret in such a file.
    static let openSecret = "a secret stands in a file that other users can read; set its mode to 0600"

    init(file: String, isReadableByOthers: Bool = false) {
        self.file = file
        self.isReadableByOthers = isReadableByOthers
    }

    func add(_ message: String, at path: ConfigPath, _ place: Place?) {
        problems.append(ConfigProblem(file: file, place: place, path: path, message: message))
    }

    func warn(_ message: String, at path: ConfigPath, _ place: Place?) {
        warnings.append(ConfigProblem(file: file, place: place, path: path, message: message))
    }

    /// Tells that a secret stands in the file itself, where others can read it.
    func warnOfSecret(at path: ConfigPath, _ place: Place?) {
        guard isReadableByOthers else { return }
        warn(Self.openSecret, at: path, place)
    }

    func note(known path: ConfigPath) { knownKeys.insert(path.description) }

    func throwIfAny() throws(ConfigProblems) {
        guard problems.isEmpty else { throw ConfigProblems(problems) }
    }
}
