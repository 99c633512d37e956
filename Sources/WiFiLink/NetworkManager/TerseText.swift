/// The terse form of `nmcli -t`: one record a line, fields separated by `:`, with `\` before a `:` or `\` that belongs to
/// a field.
enum TerseText {
    /// The fields of each line.
    static func records(_ text: String) -> [[String]] {
        text.split(separator: "\n").map { fields($0.utf8) }
    }

    /// The first value of a key in the form of one `key:value` a line, where lists have keys such as `IP4.ADDRESS[1]`.
    ///
    /// Only the first `:` separates there: `nmcli device show` does not escape those of values.
    static func values(_ text: String, of key: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let name = line[..<colon]
            guard name == key || (name.hasPrefix("\(key)[") && name.hasSuffix("]")) else { return nil }
            let value = line[line.index(after: colon)...]
            return value.isEmpty || value == "--" ? nil : String(value)
        }
    }

    private static func fields(_ line: Substring.UTF8View) -> [String] {
        var fields: [[UInt8]] = [[]]
        var isEscaped = false
        for byte in line {
            switch byte {
            case _ where isEscaped:
                fields[fields.count - 1].append(byte)
                isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = true
            case UInt8(ascii: ":"): fields.append([])
            default: fields[fields.count - 1].append(byte)
            }
        }
        return fields.map { String(decoding: $0, as: UTF8.self) }
    }
}
