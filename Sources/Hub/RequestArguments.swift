package import HomeModel
package import JSON

/// What came with a request.
package enum RequestPayload: Sendable, Equatable {
    /// Nothing.
    case empty
    case json(JSON)
    /// Text that is no JSON; stands for the request's main argument.
    case text(String)
}

/// The arguments of a request, read with errors that name them.
package struct RequestArguments: Sendable {
    private let object: JSONObject

    /// Takes a payload: an object as it is, a string for the argument `primary`, nothing for none.
    init(_ payload: RequestPayload, primary: String?) throws(CommandError) {
        switch payload {
        case .empty, .json(.null):
            object = JSONObject()
        case .json(.object(let object)):
            self.object = object
        case .json(.string(let text)), .text(let text):
            guard let primary else { throw CommandError(.badRequest, "This request takes a JSON object.") }
            object = [primary: .string(text)]
        case .json(let other):
            throw CommandError(.badRequest, "A request takes a JSON object, not \(other.kindName).")
        }
    }

    /// An argument as it came.
    package subscript(key: String) -> JSON? { object[key] }

    /// A string that must be there.
    package func string(_ key: String) throws(CommandError) -> String {
        guard let text = try optionalString(key) else {
            throw CommandError(.badRequest, "The request needs \"\(key)\".")
        }
        return text
    }

    /// A string that may be missing.
    package func optionalString(_ key: String) throws(CommandError) -> String? {
        guard let value = object[key], !value.isNull else { return nil }
        guard let text = value.stringValue else {
            throw CommandError(.badRequest, "\"\(key)\" must be a string, not \(value.kindName).")
        }
        return text
    }

    /// A whole number within a range.
    package func integer(_ key: String, in range: ClosedRange<Int>, default fallback: Int) throws(CommandError) -> Int {
        guard let value = object[key], !value.isNull else { return fallback }
        guard let number = value.intValue else {
            throw CommandError(.badRequest, "\"\(key)\" must be a whole number, not \(value.kindName).")
        }
        guard range.contains(number) else {
            throw CommandError(
                .valueOutOfRange,
                "\"\(key)\" must be within \(range.lowerBound) and \(range.upperBound)."
            )
        }
        return number
    }

    /// A boolean; `false` where missing.
    package func flag(_ key: String) throws(CommandError) -> Bool {
        guard let value = object[key], !value.isNull else { return false }
        guard let flag = value.boolValue else {
            throw CommandError(.badRequest, "\"\(key)\" must be true or false, not \(value.kindName).")
        }
        return flag
    }

    /// An object; empty where missing.
    package func object(_ key: String) throws(CommandError) -> JSONObject {
        guard let value = object[key], !value.isNull else { return JSONObject() }
        guard let object = value.objectValue else {
            throw CommandError(.badRequest, "\"\(key)\" must be an object, not \(value.kindName).")
        }
        return object
    }
}
