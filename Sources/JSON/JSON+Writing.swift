extension JSON {
    /// The value as compact JSON: UTF-8, no white space, members in insertion order.
    ///
    /// Doubles are the shortest text that reads back as the same value, integral ones with `.0`; one that is not finite
    /// is `null`. Only quotes, backslashes and control characters are escaped.
    public func serialized() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        write(into: &bytes)
        return bytes
    }

    /// The value as compact JSON text.
    public var text: String {
        String(decoding: serialized(), as: UTF8.self)
    }

    /// Appends what ``serialized()`` returns.
    public func write(into bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(literal: "null")
        case .bool(true): bytes.append(literal: "true")
        case .bool(false): bytes.append(literal: "false")
        case .integer(let value): bytes.append(integer: value)
        case .unsigned(let value): bytes.append(unsigned: value)
        case .double(let value): bytes.append(double: value)
        case .string(let value): bytes.append(quoted: value)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            var isFirst = true
            for element in elements {
                if !isFirst { bytes.append(UInt8(ascii: ",")) }
                isFirst = false
                element.write(into: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            object.write(into: &bytes)
        }
    }
}

extension JSONObject {
    /// Appends the object as compact JSON.
    public func write(into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        for (key, value) in self {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            bytes.append(quoted: key)
            bytes.append(UInt8(ascii: ":"))
            value.write(into: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }
}
