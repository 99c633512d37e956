package import HomeModel
package import Hub
package import JSON

/// The payload of a command or request, with the caller's mark taken out.
package struct CommandPayload: Sendable, Equatable {
    /// What was asked, without `transaction`.
    package var content: RequestPayload
    /// The caller's mark exactly as it was written, to echo.
    package var transaction: [UInt8]?

    /// Reads a payload.
    ///
    /// - Throws: `too_large`, `bad_json` with the byte offset in `data.offset`, `bad_request` for a wrong `transaction`.
    package init(_ bytes: [UInt8], allowsText: Bool, maxBytes: Int = JSONLimits.command.maxBytes) throws(CommandError) {
        guard bytes.count <= maxBytes else {
            throw CommandError(.tooLarge, "A command has at most \(maxBytes) bytes.")
        }
        guard let first = bytes.first(where: { !isBlank($0) }) else {
            content = .empty
            return
        }
        let value: JSON
        do throws(JSONError) {
            var limits = JSONLimits.command
            limits.maxBytes = maxBytes
            value = try JSON.parse(bytes, limits: limits)
        } catch {
            if allowsText, isPlainText(first), let text = String(validating: bytes, as: UTF8.self) {
                content = .text(text)
                return
            }
            throw CommandError(
                .badJSON,
                "The payload is no JSON: \(error).",
                details: ["offset": .integer(Int64(error.offset))]
            )
        }
        guard case .object(var object) = value, let mark = object["transaction"] else {
            content = .json(value)
            return
        }
        object["transaction"] = nil
        content = .json(.object(object))
        transaction = try Self.spelling(of: mark, in: bytes)
    }

    /// The object of a command to a device.
    ///
    /// - Throws: `bad_request` where it is something else.
    package func object() throws(CommandError) -> JSONObject {
        switch content {
        case .empty: return JSONObject()
        case .json(.object(let object)): return object
        case .json(let other):
            throw CommandError(
                .badRequest,
                "A command is a JSON object, not \(other.kindName).",
                hint: "{\"power\": true}"
            )
        case .text:
            throw CommandError(.badRequest, "A command is a JSON object.", hint: "{\"power\": true}")
        }
    }

    private static func spelling(of mark: JSON, in bytes: [UInt8]) throws(CommandError) -> [UInt8] {
        switch mark {
        case .integer, .unsigned, .double, .string: break
        default: throw CommandError(.badRequest, "\"transaction\" must be a string or a number.")
        }
        let spelling = TopLevelMember.spelling(of: "transaction", in: bytes) ?? mark.serialized()
        guard spelling.count <= 130 else {
            throw CommandError(.badRequest, "\"transaction\" has at most 128 bytes.")
        }
        return spelling
    }
}

/// Finds how a member's value was spelled; the bytes are known to be a valid JSON object.
enum TopLevelMember {
    /// The bytes of a string or number that stands at the top level under a key written without escapes.
    static func spelling(of key: String, in bytes: [UInt8]) -> [UInt8]? {
        let wanted = Array("\"\(key)\"".utf8)
        var depth = 0
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""):
                let end = endOfString(from: index, in: bytes)
                var next = end
                while next < bytes.count, isBlank(bytes[next]) { next += 1 }
                if depth == 1, next < bytes.count, bytes[next] == UInt8(ascii: ":"),
                    bytes[index..<end].elementsEqual(wanted)
                {
                    return scalar(from: next + 1, in: bytes)
                }
                index = end
                continue
            default: break
            }
            index += 1
        }
        return nil
    }

    private static func scalar(from start: Int, in bytes: [UInt8]) -> [UInt8]? {
        var start = start
        while start < bytes.count, isBlank(bytes[start]) { start += 1 }
        guard start < bytes.count else { return nil }
        if bytes[start] == UInt8(ascii: "\"") { return Array(bytes[start..<endOfString(from: start, in: bytes)]) }
        let ends: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: "}")]
        let end = bytes[start...].firstIndex { ends.contains($0) || isBlank($0) } ?? bytes.count
        return Array(bytes[start..<end])
    }

    private static func endOfString(from quote: Int, in bytes: [UInt8]) -> Int {
        var index = quote + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, bytes.count)
    }
}

private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

/// Whether a payload that begins so may be plain text rather than broken JSON.
private func isPlainText(_ first: UInt8) -> Bool {
    first != UInt8(ascii: "{") && first != UInt8(ascii: "[") && first != UInt8(ascii: "\"")
}
