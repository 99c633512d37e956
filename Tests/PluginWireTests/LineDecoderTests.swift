import PluginWire
import Testing

@Suite("LineDecoder")
struct LineDecoderTests {
    @Test("lines come out whole however the stream is split", arguments: [1, 2, 3, 7, 64])
    func splits(size: Int) throws {
        let stream = Array("one\ntwo\r\n\n\r\nthree \r four\n".utf8)
        var decoder = LineDecoder(limit: 100)
        var lines: [String] = []
        for start in stride(from: 0, to: stream.count, by: size) {
            decoder.append(Array(stream[start..<min(start + size, stream.count)]))
            while let line = try decoder.next() { lines.append(String(decoding: line, as: UTF8.self)) }
        }
        #expect(lines == ["one", "two", "three \r four"])
        #expect(decoder.pendingBytes == 0)
    }

    @Test("a chunk appended before the last one is used up loses nothing")
    func appendTwice() throws {
        var decoder = LineDecoder(limit: 100)
        decoder.append(Array("a\nb".utf8))
        #expect(try decoder.next() == Array("a".utf8)[...])
        decoder.append(Array("c\n".utf8))
        decoder.append(Array("d\n".utf8))
        #expect(try decoder.next().map(Array.init) == Array("bc".utf8))
        #expect(try decoder.next().map(Array.init) == Array("d".utf8))
        #expect(try decoder.next() == nil)
    }

    @Test(
        "a line of exactly the limit passes, with LF or CRLF, in one piece or in two",
        arguments: ["\n", "\r\n"],
        [0, 5, 10, 11]
    )
    func atTheLimit(end: String, cut: Int) throws {
        let bytes = Array((String(repeating: "x", count: 10) + end).utf8)
        var decoder = LineDecoder(limit: 10)
        decoder.append(Array(bytes[..<cut]))
        var lines: [Int] = []
        while let line = try decoder.next() { lines.append(line.count) }
        decoder.append(Array(bytes[cut...]))
        while let line = try decoder.next() { lines.append(line.count) }
        #expect(lines == [10])
    }

    @Test("a line over the limit is refused", arguments: ["\n", "\r\n"], [0, 5, 11])
    func overTheLimit(end: String, cut: Int) throws {
        let bytes = Array((String(repeating: "x", count: 11) + end).utf8)
        var decoder = LineDecoder(limit: 10)
        decoder.append(Array(bytes[..<cut]))
        #expect(try decoder.next() == nil)
        decoder.append(Array(bytes[cut...]))
        #expect(throws: WireFault.lineTooLong(limit: 10)) { try decoder.next() }
    }

    @Test("an endless line is refused at the limit, and so is all that follows")
    func endless() throws {
        var decoder = LineDecoder()
        let chunk = [UInt8](repeating: 0x20, count: 65_536)
        var taken = 0
        while taken <= 4 << 20 {
            decoder.append(chunk)
            do {
                #expect(try decoder.next() == nil)
            } catch {
                #expect(error == .lineTooLong(limit: LineDecoder.maxLineBytes))
                break
            }
            taken += chunk.count
            #expect(decoder.pendingBytes <= LineDecoder.maxLineBytes + 1)
        }
        #expect(taken == LineDecoder.maxLineBytes)
        decoder.append(Array("good\n".utf8))
        #expect(decoder.pendingBytes == 0)
        #expect(throws: WireFault.self) { try decoder.next() }
    }
}
