import EventLoop
import HomeModel
import JSON
import PluginHost
import Testing

@Suite("FlightRecorder")
struct FlightRecorderTests {
    @Test("the newest 200 lines and 100 frames are kept, in the order in which they came")
    @Loop func bounds() {
        let recorder = FlightRecorder()
        for number in 0..<500 {
            recorder.record(text: "line \(number)", .log)
            recorder.record(frame: Array("frame \(number)".utf8), number % 2 == 0 ? .sent : .received)
        }
        let lines = recorder.lines(limit: 1000)
        #expect(lines.count == FlightRecorder.lineLimit + FlightRecorder.frameLimit)
        #expect(lines.first?.text == "line 300")
        #expect(lines.suffix(2).map(\.text) == ["line 499", "frame 499"])
        #expect(recorder.lines(limit: 3).map(\.text) == ["frame 498", "line 499", "frame 499"])
        #expect(recorder.lines(limit: -1).isEmpty)
    }

    @Test("a secret that becomes known later is hidden in what was recorded before")
    @Loop func lateKnowledge() {
        let recorder = FlightRecorder()
        recorder.record(frame: Array(#"{"a":"hunter22"}"#.utf8), .received)
        recorder.record(text: "hunter22", .log)
        recorder.learn(Secrets(["x": "hunter22"]))
        #expect(recorder.lines(limit: 9).map(\.text) == [#"{"a":"<redacted>"}"#, "<redacted>"])
    }

    @Test("a long frame is cut, and says how long it was")
    @Loop func long() throws {
        let recorder = FlightRecorder()
        recorder.learn(Secrets(["x": "hunter22"]))
        let padding = String(repeating: "x", count: FlightRecorder.sizeLimit - 9)
        recorder.record(frame: Array(#"{"a":""#.utf8) + Array((padding + "hunter22").utf8), .sent)
        let text = try #require(recorder.lines(limit: 1).first?.text)
        #expect(text.utf8.count < FlightRecorder.sizeLimit + 32)
        #expect(text.hasSuffix("(\(FlightRecorder.sizeLimit + 5) bytes)"))
        #expect(!text.contains("hun"))
    }

    @Test("a line is shown as JSON with its moment")
    @Loop func json() throws {
        let recorder = FlightRecorder()
        recorder.record(text: "x", .host)
        let line = try #require(recorder.lines(limit: 1).first)
        #expect(line.json == ["at": .string(line.at.description), "kind": "host", "text": "x"])
    }
}
