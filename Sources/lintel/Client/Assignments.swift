import JSON

/// Reads what a person types after `set`: `power=true brightness=128 color.h=30`, or one JSON object.
enum Assignments {
    /// - Throws: ``Failure`` with exit 2 for what is neither.
    static func parse(_ operands: [String]) throws(Failure) -> JSONObject {
        if operands.count == 1, let only = operands.first, only.hasPrefix("{") {
            guard let object = (try? JSON.parse(only, limits: .command))?.objectValue else {
                throw Failure(.usage, "That is no valid JSON object: \(only)")
            }
            return object
        }
        var object = JSONObject()
        for operand in operands {
            let parts = operand.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let key = parts.first, !key.isEmpty else {
                throw Failure(.usage, "\(operand) is no assignment.", hint: "Write property=value, such as power=true.")
            }
            let value = value(String(parts[1]))
            let path = key.split(separator: ".", maxSplits: 1)
            if path.count == 2 {
                var member = object[String(path[0])]?.objectValue ?? JSONObject()
                member[String(path[1])] = value
                object[String(path[0])] = .object(member)
            } else {
                object[String(key)] = value
            }
        }
        return object
    }

    /// JSON where it is JSON, and a string else; `on` and `off` are what people say for true and false.
    private static func value(_ text: String) -> JSON {
        switch text {
        case "on": true
        case "off": false
        default: (try? JSON.parse(text, limits: .command)) ?? .string(text)
        }
    }
}
