import EventLoop
import TestSupport

/// Collects what comes out of a stream and how it ends.
@Loop
final class Inbox {
    private(set) var bytes: [UInt8] = []
    private(set) var pieces = 0
    private(set) var hasEnded = false
    private(set) var closes: [LoopError?] = []
    private let fact = Fact()

    /// - Parameter keepsOpen: whether the end of the peer's bytes leaves the stream open.
    init(_ stream: ByteStream, keepsOpen: Bool = false) {
        stream.onBytes = { [self] in
            bytes += $0
            pieces += 1
            fact.changed()
        }
        if keepsOpen {
            stream.onEnd = { [self] in
                hasEnded = true
                fact.changed()
            }
        }
        stream.onClose = { [self] in
            closes.append($0)
            fact.changed()
        }
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    func received(_ count: Int) async -> [UInt8] {
        await fact.until { [self] in bytes.count >= count }
        return bytes
    }

    func ended() async {
        await fact.until { [self] in hasEnded }
    }

    /// Waits for the close and says how it came.
    func closed() async -> LoopError? {
        await fact.until { [self] in !closes.isEmpty }
        return closes[0]
    }
}
