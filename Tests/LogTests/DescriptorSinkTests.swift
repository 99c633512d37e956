import Glibc
import JSON
import Log
import Testing

@Suite("Descriptor sink")
struct DescriptorSinkTests {
    private func withPipe(_ body: (_ reader: Int32, _ writer: Int32) throws -> Void) throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for end in ends where end >= 0 { close(end) } }
        try body(ends[0], ends[1])
    }

    /// Reads what is in the pipe now.
    private func drain(_ reader: Int32) -> String {
        _ = fcntl(reader, F_SETFL, O_NONBLOCK)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(reader, &buffer, buffer.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer.prefix(count)
        }
    }

    private func record(_ message: String) -> LogRecord {
        LogRecord(time: LogTime(nanoseconds: 0), level: .info, area: "a", message: message)
    }

    @Test("each record is a line")
    func lines() throws {
        try withPipe { reader, writer in
            let sink = DescriptorSink(descriptor: writer, format: .journal)
            sink.write(record("one"))
            sink.write(record("two"))
            #expect(drain(reader) == "<6>a: one\n<6>a: two\n")
        }
    }

    @Test("a reader that does not read costs records, not time, and learns how many")
    func fullPipe() throws {
        try withPipe { reader, writer in
            let sink = DescriptorSink(descriptor: writer, format: .json)
            let total = 2_000
            let padding = String(repeating: "x", count: 100)
            for number in 0..<total { sink.write(record("\(number) \(padding)")) }
            let first = try drain(reader).split(separator: "\n").map { try JSON.parse(String($0)) }
            #expect(first.count < total && first.count > 50)
            sink.write(record("last"))
            let second = try drain(reader).split(separator: "\n").map { try JSON.parse(String($0)) }
            #expect(second.map { $0["message"] } == ["records lost", "last"])
            #expect(second.first?["metadata"]?["count"] == JSON(total - first.count))
        }
    }

    @Test("lines from many threads do not mix")
    func threads() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        defer { for end in [reader, writer] { close(end) } }
        // Little enough that the pipe takes it all.
        let sink = DescriptorSink(descriptor: writer, format: .json)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<25 { sink.write(record("\(task) \(number)")) }
                }
            }
        }
        let lines = try drain(reader).split(separator: "\n").map { try JSON.parse(String($0)) }
        #expect(lines.count == 200)
        for task in 0..<8 {
            let own = lines.compactMap { $0["message"]?.stringValue }.filter { $0.hasPrefix("\(task) ") }
            #expect(own == (0..<25).map { "\(task) \($0)" })
        }
    }

    @Test("a closed descriptor loses records and nothing else")
    func closed() {
        DescriptorSink(descriptor: -1, format: .text).write(record("x"))
    }

    @Test("the journal's own descriptor is recognised")
    func journal() throws {
        try withPipe { _, writer in
            var status = stat()
            try #require(fstat(writer, &status) == 0)
            let identity = "\(status.st_dev):\(status.st_ino)"
            #expect(LogFormat.suitable(for: writer, environment: ["JOURNAL_STREAM": identity]) == .journal)
            #expect(LogFormat.suitable(for: writer, environment: ["JOURNAL_STREAM": "0:0"]) == .text)
            #expect(LogFormat.suitable(for: writer, environment: [:]) == .text)
        }
    }
}
