/// Something that is wrong in a configuration file, or that its author should know.
package struct ConfigProblem: Hashable, Sendable, CustomStringConvertible {
    /// The file, as it was named.
    package var file: String
    /// Where in the file; nil where it cannot be told.
    package var place: Place?
    /// The key that it is about; empty for the whole file.
    package var path: ConfigPath
    /// What is wrong, without a secret in it.
    package var message: String

    package init(file: String, place: Place?, path: ConfigPath = ConfigPath(), message: String) {
        self.file = file
        self.place = place
        self.path = path
        self.message = message
    }

    /// `file:line:column: key.path: message`.
    package var description: String {
        let position = place.map { "\(file):\($0)" } ?? file
        return path.steps.isEmpty ? "\(position): \(message)" : "\(position): \(path): \(message)"
    }
}

/// All that is wrong in a configuration, in the order of the file.
package struct ConfigProblems: Error, Equatable, Sendable, CustomStringConvertible {
    package let problems: [ConfigProblem]

    package init(_ problems: [ConfigProblem]) {
        self.problems = problems.enumerated().sorted { one, other in
            let start = Place(line: 0, column: 0)
            return (one.element.place ?? start, one.offset) < (other.element.place ?? start, other.offset)
        }
        .map(\.element)
    }

    /// One line each.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
