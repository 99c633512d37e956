import Config

/// A command line, taken apart by the table of verbs.
struct Invocation {
    /// The verb with its sub-verb: `plugin list`.
    var verb: Verb
    /// What follows the verb, without options.
    var operands: [String]
    /// Values of options by name without dashes; flags have an empty value.
    var options: [String: String]
    /// All values of options that were given, in their order; for those that may be repeated.
    var given: [(name: String, value: String)] = []

    /// The values of an option that may be repeated.
    func all(_ name: String) -> [String] { given.filter { $0.name == name }.map(\.value) }

    func flag(_ name: String) -> Bool { options[name] != nil }

    /// Takes a command line apart.
    ///
    /// Options may stand anywhere: `--name value`, `--name=value`, `--flag`; `--` ends them.
    /// - Throws: ``Failure`` with exit 2 and a hint at the nearest thing that exists.
    static func parse(_ arguments: [String], table: [Verb]) throws(Failure) -> Invocation {
        var words: [String] = []
        var raw: [(name: String, value: String?)] = []
        var index = 0
        var isEnded = false
        while index < arguments.count {
            let argument = arguments[index]
            index += 1
            if isEnded || !argument.hasPrefix("-") || argument == "-" {
                words.append(argument)
            } else if argument == "--" {
                isEnded = true
            } else {
                let parts = argument.drop { $0 == "-" }.split(
                    separator: "=",
                    maxSplits: 1,
                    omittingEmptySubsequences: false
                )
                let name = String(parts.first ?? "")
                var value = parts.count > 1 ? String(parts[1]) : nil
                if value == nil, Option.known[name]?.takesValue == true, index < arguments.count {
                    value = arguments[index]
                    index += 1
                }
                raw.append((name, value))
            }
        }
        guard let verb = find(words, in: table) else { throw unknown(words, table) }
        var options: [String: String] = [:]
        var given: [(name: String, value: String)] = []
        for (name, value) in raw {
            guard let option = Option.known[name], verb.allows(option) else {
                let known = verb.options.map { "--\($0.name)" }.joined(separator: ", ")
                throw Failure(.usage, "lintel \(verb.name) has no option --\(name).", hint: "Options: \(known).")
            }
            guard option.takesValue == (value != nil) else {
                throw Failure(.usage, "--\(name) \(option.takesValue ? "needs a value" : "takes no value").")
            }
            options[option.name] = value ?? ""
            given.append((option.name, value ?? ""))
        }
        let operands = Array(words.dropFirst(verb.words))
        guard verb.operands.contains(operands.count) || options["help"] != nil else {
            throw Failure(.usage, "lintel \(verb.usage)", hint: "See lintel help \(verb.name).")
        }
        return Invocation(verb: verb, operands: operands, options: options, given: given)
    }

    /// The longest verb that the words begin with; `device <id> set` is written with the id in the middle.
    static func find(_ words: [String], in table: [Verb]) -> Verb? {
        let matching = table.filter { verb in
            let parts = verb.name.split(separator: " ").map(String.init)
            guard words.count >= parts.count else { return false }
            return zip(words, parts).allSatisfy { $0 == $1 || ($1 == "<id>" && !$0.isEmpty) }
        }
        return matching.max { $0.words < $1.words }
    }

    private static func unknown(_ words: [String], _ table: [Verb]) -> Failure {
        let asked = words.prefix(3).joined(separator: " ")
        guard let first = words.first else { return Failure(.usage, "No verb given.", hint: "See lintel help.") }
        let nearest = NearestName.of(first, among: table.map { String($0.name.prefix { $0 != " " }) })
        let near = table.filter { verb in
            verb.name.hasPrefix(nearest ?? first)
        }.map { "lintel \($0.usage)" }
        let hint = near.isEmpty ? "See lintel help." : "Did you mean:\n  " + near.joined(separator: "\n  ")
        return Failure(.usage, "There is no lintel \(asked).", hint: hint)
    }
}
