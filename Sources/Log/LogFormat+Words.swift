import JSON

extension LogFormat {
    /// Text as it is, but with control characters escaped, so that nobody's words begin a line or move a cursor.
    static func plain(_ text: String) -> String {
        if !text.unicodeScalars.contains(where: isControl) { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            if isControl(scalar) {
                result += escape(scalar)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }

    /// A value of metadata: a bare word where that is unmistakable, else JSON.
    static func word(_ value: JSON) -> String {
        guard case .string(let whole) = value else { return plain(cut(value.text, to: longestLine)) }
        let text = cut(whole, to: longestLine)
        let isBare =
            !text.isEmpty
            && text.unicodeScalars.allSatisfy { scalar in
                scalar != " " && scalar != "\"" && scalar != "=" && scalar != "\\" && !isControl(scalar)
            }
        return isBare ? text : plain(JSON.string(text).text)
    }

    /// The start of a text, at most so many bytes without the `…` at its end; the text itself if it is no longer.
    static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var end = text.utf8.index(text.utf8.startIndex, offsetBy: limit)
        while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
            end = text.utf8.index(before: end)
        }
        return String(text[..<end]) + "…"
    }

    /// The metadata with each long value cut; what is no string and long becomes one.
    static func cut(_ metadata: JSONObject) -> JSONObject {
        JSONObject(
            metadata.map { key, value in
                let text = value.stringValue ?? value.text
                return (cut(key, to: 64), text.utf8.count > longestValue ? .string(cut(text, to: longestValue)) : value)
            }
        )
    }

    /// Controls of both kinds and the separators that some viewers take for a line's end.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7f..<0xa0, 0x2028, 0x2029: true
        default: false
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": return #"\n"#
        case "\r": return #"\r"#
        case "\t": return #"\t"#
        default:
            let digits = String(scalar.value, radix: 16)
            return #"\u"# + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
        }
    }
}
