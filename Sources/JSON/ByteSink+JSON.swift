extension ByteSink {
    mutating func append(_ value: JSON) {
        switch value {
        case .null: append(literal: "null")
        case .bool(true): append(literal: "true")
        case .bool(false): append(literal: "false")
        case .integer(let value): append(integer: value)
        case .unsigned(let value): append(unsigned: value)
        case .double(let value): append(double: value)
        case .string(let value): append(quoted: value)
        case .array(let elements): append(elements)
        case .object(let object): append(object)
        }
    }

    mutating func append(_ elements: [JSON]) {
        append(UInt8(ascii: "["))
        var isFirst = true
        for element in elements {
            if !isFirst { append(UInt8(ascii: ",")) }
            isFirst = false
            append(element)
        }
        append(UInt8(ascii: "]"))
    }

    mutating func append(_ object: JSONObject) {
        append(UInt8(ascii: "{"))
        var isFirst = true
        object.members.withUnsafeBufferPointer { members in
            for position in members.indices {
                if !isFirst { append(UInt8(ascii: ",")) }
                isFirst = false
                append(quoted: members[position].key)
                append(UInt8(ascii: ":"))
                append(members[position].value)
            }
        }
        append(UInt8(ascii: "}"))
    }
}
