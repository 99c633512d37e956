import EventLoop
import HomeModel
import JSON

/// Reads what a person gives to a session, with secrets of the configuration put where they are named.
@Loop
struct PairingInputReader {
    private let named: [String: String]
    /// The secrets of the configuration that were put in.
    private(set) var used: [String] = []

    init(named: Secrets) {
        self.named = named.exposed
    }

    /// The members `input` and `wifi` of a start: `wifi` is `{"ssid", "password" or "secret_ref"}`.
    ///
    /// - Throws: `bad_request`; never with a value in its words.
    mutating func start(_ arguments: RequestArguments) throws(CommandError) -> JSONObject {
        var input = try arguments.object("input")
        for (key, value) in try arguments.object("wifi") where !value.isNull {
            switch key {
            case "ssid": input["ssid"] = value
            case "password": input["password"] = value
            case "secret_ref": input["password"] = ["secret_ref": value]
            default:
                throw CommandError(
                    .badRequest,
                    "\"wifi\" has no member \"\(key.prefix(64))\".",
                    hint: "Members: ssid, password, secret_ref."
                )
            }
        }
        return try resolved(input)
    }

    /// An answer: `input`, or `value` where one thing is asked for.
    mutating func answer(_ arguments: RequestArguments, to form: InputForm?) throws(CommandError) -> JSONObject {
        guard let value = arguments["value"] else { return try resolved(try arguments.object("input")) }
        guard let form, form.fields.count == 1, let field = form.fields.first else {
            throw CommandError(
                .badRequest,
                "\"value\" answers a question with one field.",
                hint: form.map { "Give \"input\" with: \($0.fields.map(\.name).joined(separator: ", "))." }
            )
        }
        return try resolved([field.name: value])
    }

    /// Puts a secret of the configuration wherever `{"secret_ref": name}` stands.
    mutating func resolved(_ input: JSONObject) throws(CommandError) -> JSONObject {
        var object = JSONObject(reservingCapacity: input.count)
        for (key, value) in input { object[key] = try resolved(value) }
        return object
    }

    private mutating func resolved(_ value: JSON) throws(CommandError) -> JSON {
        switch value {
        case .object(let object):
            guard let reference = object["secret_ref"] else { return .object(try resolved(object)) }
            guard object.count == 1, let name = reference.stringValue else {
                throw CommandError(.badRequest, "\"secret_ref\" stands alone and is a name.")
            }
            guard let secret = named[name] else {
                throw CommandError(
                    .badRequest,
                    "The configuration has no secret \"\(name.prefix(64))\".",
                    hint: named.isEmpty
                        ? "Add it under secrets." : "Secrets: \(named.keys.sorted().joined(separator: ", "))."
                )
            }
            used.append(secret)
            return .string(secret)
        case .array(let items):
            var list: [JSON] = []
            for item in items { list.append(try resolved(item)) }
            return .array(list)
        default: return value
        }
    }
}
