import HomeModel
import JSON

/// Answers that were given on the command line, each for one time that its field is asked.
///
/// An answer that was used is used again where a form asks for it beside something new, but not for the same thing that
/// was refused: a password that is wrong stays wrong.
struct GivenAnswers: Sendable {
    /// One answer.
    enum Given: Equatable, Sendable {
        /// As it stands on the command line.
        case plain(String)
        /// From a file or from standard input: nobody sees it in the list of processes.
        case secret(String)
        /// The name of a secret in the gateway's configuration.
        case reference(String)
    }

    private var fresh: [String: [Given]] = [:]
    private var used: [String: Given] = [:]
    /// Whether questions that only want a go-ahead are answered.
    let goesAhead: Bool

    init(_ answers: [(field: String, given: Given)], goesAhead: Bool) {
        for (field, given) in answers { fresh[field, default: []].append(given) }
        self.goesAhead = goesAhead
    }

    /// The fields that have an answer which was never asked for.
    var unused: [String] { fresh.keys.filter { used[$0] == nil }.sorted() }

    /// Whether there is any answer for a field that was not used yet.
    func hasFresh(_ field: String) -> Bool { fresh[field]?.isEmpty == false }

    /// Takes the answers that are given for a form.
    ///
    /// - Throws: ``Failure`` with exit 2 for a value that the form does not allow.
    mutating func take(for form: InputForm) throws(Failure) -> JSONObject {
        let isRefused = form.error != nil
        let hasNew = form.fields.contains { hasFresh($0.name) }
        var answers = JSONObject()
        for field in form.fields {
            var given = used[field.name]
            if hasFresh(field.name) {
                given = fresh[field.name]?.removeFirst()
            } else if isRefused, !hasNew {
                given = nil
            }
            guard let given else { continue }
            used[field.name] = given
            if let value = try Self.value(given, field) { answers[field.name] = value }
        }
        // A form that asks for a yes and nothing else is what a go-ahead is for.
        if goesAhead, !isRefused, answers.isEmpty, form.fields.count == 1, form.fields[0].kind == .flag {
            answers[form.fields[0].name] = true
        }
        return answers
    }

    private static func value(_ given: Given, _ field: InputField) throws(Failure) -> JSON? {
        let text: String
        switch given {
        case .reference(let name): return .object(["secret_ref": .string(name)])
        case .secret(let secret): text = secret
        case .plain(let plain):
            guard field.kind != .password else {
                throw Failure(
                    .usage,
                    "\(field.name) is secret, and everybody on this machine sees what stands on a command line.",
                    hint: ways(of: field)
                )
            }
            text = plain
        }
        switch FieldQuestion(field: field).readGiven(text) {
        case .value(let value): return value
        case .omitted, .other: return nil
        // The value itself is not told: it may be a secret.
        case .wrong(let why): throw Failure(.usage, "\(field.name): \(why)", hint: field.hint.map(Cells.clean))
        }
    }

    /// The options that answer a field.
    static func ways(of field: InputField) -> String {
        let name = Cells.clean(field.name)
        guard field.kind != .password else {
            return "Give it with --set \(name)=@FILE, --set \(name)=- (standard input) or --secret-ref \(name)=NAME."
        }
        let values = field.choices.prefix(8).map { Cells.clean($0.value) }.joined(separator: ", ")
        let more = field.choices.count > 8 ? ", …" : ""
        return "Give it with --set \(name)=VALUE\(values.isEmpty ? "" : "; values: \(values)\(more)")."
    }
}
