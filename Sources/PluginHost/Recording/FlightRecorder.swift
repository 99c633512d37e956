package import EventLoop
package import HomeModel
package import JSON
import Log

/// The last that was heard of a plugin: log lines and frames of the wire, kept over its restarts.
///
/// Frames are kept as they are and redacted when somebody reads them, so that recording costs a copy.
@Loop
package final class FlightRecorder {
    /// How many log lines are kept.
    package nonisolated static let lineLimit = 200
    /// How many frames are kept.
    package nonisolated static let frameLimit = 100
    /// How much of a frame, or of a line, is kept.
    package nonisolated static let sizeLimit = 2048

    /// What a record is.
    package enum Kind: String, Sendable {
        /// Log text of the plugin.
        case log
        /// A frame to the plugin.
        case sent
        /// A frame of the plugin.
        case received
        /// What the gateway did with the plugin.
        case host
    }

    /// A record as it is shown.
    package struct Line: Sendable, Equatable {
        package var at: Timestamp
        package var kind: Kind
        /// Without secrets.
        package var text: String

        /// `{"at","kind","text"}`.
        package var json: JSON {
            ["at": .string(at.description), "kind": .string(kind.rawValue), "text": .string(text)]
        }
    }

    private struct Record {
        var order = 0
        var at = Timestamp(milliseconds: 0)
        var kind = Kind.log
        var bytes: [UInt8] = []
        /// How long it was before it was cut.
        var size = 0

        mutating func fill(_ source: some Collection<UInt8>, order: Int, kind: Kind) {
            self.order = order
            self.kind = kind
            at = .now
            bytes.removeAll(keepingCapacity: true)
            bytes.append(contentsOf: source.prefix(FlightRecorder.sizeLimit))
            size = source.count
        }
    }

    private var texts = Ring(limit: lineLimit)
    private var frames = Ring(limit: frameLimit)
    private var order = 0
    private(set) var redactor: Redactor

    /// Makes an empty recorder.
    ///
    /// - Parameter keys: keys that the plugin's manifest declares to be secret.
    package init(keys: [String] = []) {
        redactor = Redactor(keys: keys)
    }

    /// Remembers secrets that must not be shown; they are never forgotten.
    package func learn(_ secrets: Secrets) { redactor.learn(secrets) }

    /// Remembers what stands under secret keys.
    package func learn(from json: JSON) { redactor.learn(from: json) }

    /// Remembers keys of pairing input whose values must not be shown.
    package func learn(inputKeys: [String]) { redactor.learn(inputKeys: inputKeys) }

    /// Keeps a frame, without its newline.
    package func record(frame: some Collection<UInt8>, _ kind: Kind) {
        order += 1
        frames.next { record in
            record.fill(frame, order: order, kind: kind)
        }
    }

    /// Keeps a log line of the plugin, or a note of the gateway.
    ///
    /// - Returns: the line without the secrets known so far.
    @discardableResult
    package func record(text: String, _ kind: Kind) -> String {
        let shown = redactor.redacted(text: text)
        order += 1
        texts.next { record in
            record.fill(Array(shown.utf8), order: order, kind: kind)
        }
        return shown
    }

    /// The newest records, oldest first, without secrets.
    package func lines(limit: Int) -> [Line] {
        let newest = (texts.records + frames.records).sorted { $0.order < $1.order }.suffix(max(0, limit))
        return newest.map { record in
            let isCut = record.size > record.bytes.count
            var text =
                switch record.kind {
                case .sent, .received: redactor.redacted(frame: record.bytes, isCut: isCut)
                case .log, .host: redactor.redacted(text: String(decoding: record.bytes, as: UTF8.self))
                }
            if isCut { text += "… (\(record.size) bytes)" }
            return Line(at: record.at, kind: record.kind, text: text)
        }
    }

    /// The newest records in a circle, whose memory is used again.
    private struct Ring {
        let limit: Int
        private(set) var records: [Record] = []
        private var position = 0

        init(limit: Int) { self.limit = limit }

        mutating func next(_ fill: (inout Record) -> Void) {
            if records.count < limit { records.append(Record()) }
            fill(&records[position])
            position = (position + 1) % limit
        }
    }
}

extension Timestamp {
    /// The present moment of the wall clock.
    static var now: Timestamp { Timestamp(milliseconds: LogTime.now.nanoseconds / 1_000_000) }
}
