import EventLoop

/// One client of an ``HTTPServer``: reads requests and answers them one after the other.
@Loop
final class HTTPServerConnection {
    private static let idleLimit = Duration.seconds(60)
    /// Of requests that are sent ahead of their turn.
    private static let bufferLimit = 1 << 20

    let stream: TCPConnection
    private let handler: @Loop (HTTPRequest) -> HTTPAnswer
    private var reader = HTTPRequestReader()
    private var timer: LoopTimer?
    /// Holds the next requests back.
    private var isAnswering = false

    init(_ stream: TCPConnection, handler: @escaping @Loop (HTTPRequest) -> HTTPAnswer) {
        self.stream = stream
        self.handler = handler
    }

    func start(onClose: @escaping @Loop () -> Void) {
        stream.onClose = { [weak self] _ in
            self?.timer = nil
            onClose()
        }
        stream.onBytes = { [weak self] bytes in
            guard let self else { return }
            reader.append(bytes)
            guard reader.bufferedBytes <= Self.bufferLimit else { return self.stream.close() }
            readOn()
        }
        waitForMore()
    }

    private func readOn() {
        while !isAnswering {
            do throws(HTTPFault) {
                guard let request = try reader.next() else { return waitForMore() }
                answer(request)
            } catch {
                isAnswering = true
                var answer = HTTPAnswer(status: error.rawValue)
                answer.headers = [.init("Connection", "close")]
                stream.write(answer.bytes)
                return stream.finish()
            }
        }
    }

    private func answer(_ request: HTTPRequest) {
        let answer = handler(request)
        isAnswering = true
        timer = nil
        guard answer.delay > .zero else { return send(answer, to: request) }
        timer = LoopTimer(after: answer.delay) { [weak self] in
            self?.send(answer, to: request)
            self?.readOn()
        }
    }

    private func send(_ answer: HTTPAnswer, to request: HTTPRequest) {
        switch answer.delivery {
        case .silence: return
        case .close: return stream.close()
        case .cut, .bare:
            stream.write(answer.bytes)
            return stream.finish()
        case .whole, .chunked:
            stream.write(answer.bytes)
            if request.header("connection")?.lowercased() == "close" { return stream.finish() }
            isAnswering = false
        }
    }

    private func waitForMore() {
        timer = LoopTimer(after: Self.idleLimit) { [weak self] in self?.stream.close() }
    }
}
