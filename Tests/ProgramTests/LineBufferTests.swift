import Testing

@testable import lintel

@Suite("A line that is typed")
struct LineBufferTests {
    private func lines(_ typed: String) -> [String] {
        var buffer = LineBuffer()
        return buffer.type(Array(typed.utf8)).compactMap { step in
            if case .entered(let text) = step { text } else { nil }
        }
    }

    @Test("is edited by the keys that terminals have for it")
    func editing() {
        #expect(lines("homf\u{7F}e\r") == ["home"])
        #expect(lines("wrong\u{15}right\n") == ["right"])
        #expect(lines("my old\u{17}home\n") == ["my home"])
        #expect(lines("ab\u{1B}[D\u{1B}OCc\n") == ["abc"])
        #expect(lines("one\ntwo\n") == ["one", "two"])
        #expect(lines("\u{7F}\u{1}\n") == [""])
    }

    @Test("takes characters of several bytes, whole or in parts, and erases them at once")
    func unicode() {
        var buffer = LineBuffer()
        for byte in "Küche 👍".utf8 { _ = buffer.type([byte]) }
        #expect(buffer.text == "Küche 👍")
        _ = buffer.type([0x7F, 0x7F, 0x7F])
        #expect(buffer.text == "Küch")
    }

    @Test("passes over what is no text")
    func garbage() {
        var buffer = LineBuffer()
        _ = buffer.type([0xFF, 0x41, 0xC3, 0x42, 0xE2, 0x82, 0xAC])
        #expect(!buffer.text.unicodeScalars.contains("\u{FFFD}"))
        #expect(buffer.text.hasSuffix("€"))
    }

    @Test("ends the input with Ctrl-D only where nothing is typed")
    func end() {
        var buffer = LineBuffer()
        #expect(buffer.type([0x04]) == [.ended])
        #expect(buffer.type([0x61, 0x04]) == [.changed])
        #expect(buffer.text == "a")
    }

    @Test("has a limit")
    func limit() {
        var buffer = LineBuffer()
        _ = buffer.type([UInt8](repeating: 0x61, count: 10_000))
        #expect(buffer.text.utf8.count == LineBuffer.limit)
    }
}
