import FuzzSupport
import HomeModel
import JSON
import PluginWire

/// Anything into the plugin wire: lines however split, messages of either side, manifests.
///
/// The first byte says in which pieces the rest arrives; pieces must not change what is read.
@main
struct FuzzLines: FuzzTarget {
    private static let limit = 512

    static func test(_ input: [UInt8]) {
        guard let first = input.first else { return }
        let stream = Array(input.dropFirst())
        let whole = lines(stream, pieces: max(1, stream.count))
        expect(lines(stream, pieces: 1 + Int(first)) == whole, "pieces change the lines")
        for line in whole.lines { read(line[...]) }
        _ = try? PluginManifest(bytes: stream)
    }

    /// The lines of a stream, and whether it was refused.
    private static func lines(_ stream: [UInt8], pieces: Int) -> Lines {
        var decoder = LineDecoder(limit: limit)
        var result = Lines()
        for start in stride(from: 0, to: stream.count, by: pieces) {
            decoder.append(Array(stream[start..<min(start + pieces, stream.count)]))
            do throws(WireFault) {
                while let line = try decoder.next() {
                    expect(!line.isEmpty && line.count <= limit, "a line is empty or too long")
                    expect(!line.contains(0x0a), "a line has an end in it")
                    result.lines.append(Array(line))
                }
                expect(decoder.pendingBytes <= limit + 1, "more is kept than a line")
            } catch {
                result.isRefused = true
                return result
            }
        }
        return result
    }

    private struct Lines: Equatable {
        var lines: [[UInt8]] = []
        var isRefused = false
    }

    private static func read(_ line: ArraySlice<UInt8>) {
        do throws(WireFault) {
            let message = try WireMessage(line: line)
            let written = message.line
            expect(written.last == 0x0a && !written.dropLast().contains(0x0a), "a message is not one line")
            expect((try? WireMessage(line: written.dropLast())) == message, "the written message is another")
            switch message {
            case .request(_, let method, let params): call(method, params)
            case .notification(let method, let params): note(method, params)
            case .response(_, let result): answer(result)
            case .failure(_, let failure): expect(!CommandError(failure).message.isEmpty, "an error without words")
            }
        } catch {
            expect(error.failure.code <= WireFailure.invalidRequest, "a fault without its code")
        }
    }

    private static func call(_ method: String, _ params: JSONObject) {
        if let call = try? PluginCall(method: method, params: params) {
            let again = rewritten(call.line(id: .number(1))).flatMap { try? PluginCall(method: method, params: $0) }
            expect(again == call, "the written request is another")
        }
        guard let call = try? GatewayCall(method: method, params: params) else { return }
        let once = call.line(id: .number(1))
        let again = try? GatewayCall(method: method, params: rewritten(once) ?? JSONObject())
        expect(again?.line(id: .number(1)) == once, "writing a request is not stable")
    }

    private static func note(_ method: String, _ params: JSONObject) {
        guard let note = try? PluginNote(method: method, params: params) else { return }
        guard case .notification(let method, let params) = try? WireMessage(line: note.line.dropLast()) else {
            return expect(false, "a notification is written as something else")
        }
        expect((try? PluginNote(method: method, params: params)) == note, "the written notification is another")
    }

    private static func answer(_ result: JSON) {
        if let answer = try? ReadAnswer(json: result) {
            expect((try? ReadAnswer(json: answer.json)) == answer, "the written answer is another")
        }
        if let answer = try? WiFiScanAnswer(json: result) {
            expect((try? WiFiScanAnswer(json: answer.json)) == answer, "the written networks are others")
        }
        if let answer = try? WiFiJoinAnswer(json: result) {
            expect((try? WiFiJoinAnswer(json: answer.json)) == answer, "the written place is another")
        }
        _ = try? WriteAnswer(json: result)
        _ = try? InitializeAnswer(json: result)
        _ = try? ConfigureAnswer(json: result)
    }

    private static func rewritten(_ line: [UInt8]) -> JSONObject? {
        guard case .request(_, _, let params) = try? WireMessage(line: line.dropLast()) else { return nil }
        return params
    }
}
