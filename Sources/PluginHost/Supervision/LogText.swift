/// Cuts a plugin's stderr into lines, and reads the level that a line may begin with.
///
/// Other than on the wire, a line that does not end is not a fault: it is cut into pieces.
package struct LogText {
    /// The longest line, in bytes.
    package static let maxLineBytes = 4096

    private var partial: [UInt8] = []

    package init() {}

    /// Takes bytes and gives the lines that they complete, without blank ones.
    package mutating func lines(_ bytes: [UInt8]) -> [String] {
        var lines: [String] = []
        for byte in bytes {
            if byte != 0x0a { partial.append(byte) }
            if byte == 0x0a || partial.count >= Self.maxLineBytes { flush(into: &lines) }
        }
        return lines
    }

    /// The last line, where it has no end.
    package mutating func rest() -> [String] {
        var lines: [String] = []
        flush(into: &lines)
        return lines
    }

    private mutating func flush(into lines: inout [String]) {
        if partial.last == UInt8(ascii: "\r") { partial.removeLast() }
        if !partial.isEmpty { lines.append(String(decoding: partial, as: UTF8.self)) }
        partial.removeAll(keepingCapacity: true)
    }

    /// The level and the text of a line: `<4>text` as sd-daemon(3) has it, plain text is `info`.
    package static func parse(_ line: String) -> (level: String, text: String) {
        let bytes = Array(line.utf8.prefix(3))
        guard bytes.count == 3, bytes[0] == UInt8(ascii: "<"), bytes[2] == UInt8(ascii: ">"),
            let level = level(bytes[1])
        else { return ("info", line) }
        return (level, String(line.dropFirst(3)))
    }

    private static func level(_ priority: UInt8) -> String? {
        switch priority {
        case UInt8(ascii: "0")...UInt8(ascii: "3"): "error"
        case UInt8(ascii: "4"): "warning"
        case UInt8(ascii: "5"): "notice"
        case UInt8(ascii: "6"): "info"
        case UInt8(ascii: "7"): "debug"
        default: nil
        }
    }
}
