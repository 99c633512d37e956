import JSON

extension LogFormat {
    /// The longest line in bytes, its newline included: what a pipe takes whole or not at all (PIPE_BUF of pipe(7)).
    package static let longestLine = 4096
    /// The longest text of one value within a line, in bytes.
    static let longestValue = 1024

    /// The record as one line with its newline, at most ``longestLine`` bytes.
    ///
    /// Long values are cut and end in `…`; where that is not enough, the metadata is left out and its size told.
    package func line(_ record: LogRecord) -> [UInt8] {
        var short = record
        // What cannot fit is not looked at letter by letter: another program may send a mebibyte.
        short.message = Self.cut(record.message, to: Self.longestLine)
        let full = render(short)
        if full.count <= Self.longestLine { return full }
        short.message = Self.cut(record.message, to: Self.longestValue)
        short.metadata = LogMetadata(Self.cut(record.metadata.json))
        let cut = render(short)
        if cut.count <= Self.longestLine { return cut }
        short.area = Self.cut(record.area, to: 64)
        short.message = Self.cut(record.message, to: Self.longestValue / 4)
        short.metadata = ["omittedBytes": LogValue(JSON.object(record.metadata.json).serialized().count)]
        return render(short)
    }

    private func render(_ record: LogRecord) -> [UInt8] {
        switch self {
        case .json: Self.jsonLine(record)
        case .text: textLine(record, start: "\(record.time) \(record.level.rawValue) ")
        case .journal: textLine(record, start: "<\(record.level.syslogPriority)>")
        case .colouredText:
            textLine(record, start: "\u{1b}[2m\(record.time)\u{1b}[0m \(Self.coloured(record.level)) ")
        }
    }

    private func textLine(_ record: LogRecord, start: String) -> [UInt8] {
        let isColoured = self == .colouredText
        var line = start + Self.plain(record.area) + ": " + Self.plain(record.message)
        for (key, value) in record.metadata.json {
            // Too long already, so that what is missing does not matter.
            if line.utf8.count > Self.longestLine { break }
            let name = Self.word(.string(key))
            line += isColoured ? " \u{1b}[36m\(name)\u{1b}[0m=" : " \(name)="
            line += Self.word(value)
        }
        return Array((line + "\n").utf8)
    }

    private static func coloured(_ level: LogLevel) -> String {
        let colour =
            switch level {
            case .error: "1;31"
            case .warning: "33"
            case .notice: "32"
            case .info: "34"
            case .debug, .trace: "2"
            }
        return "\u{1b}[\(colour)m\(level.rawValue)\u{1b}[0m"
    }

    private static func jsonLine(_ record: LogRecord) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("time")
        writer.string(record.time.description)
        writer.key("level")
        writer.string(record.level.rawValue)
        writer.key("area")
        writer.string(record.area)
        writer.key("message")
        writer.string(record.message)
        if !record.metadata.isEmpty {
            writer.key("metadata")
            writer.object(record.metadata.json)
        }
        writer.endObject()
        writer.newline()
        return writer.bytes
    }
}
