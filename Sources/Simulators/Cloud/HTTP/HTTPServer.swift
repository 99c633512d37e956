package import EventLoop

/// A small HTTP/1.1 server for tests and simulators.
@Loop
package final class HTTPServer {
    private static let connectionLimit = 512

    /// What answers; called once for each request, in the order of a connection.
    package var handler: @Loop (HTTPRequest) -> HTTPAnswer
    /// Called after a connection has closed.
    package var onDisconnect: (@Loop () -> Void)?
    private var listener: TCPListener?
    private var connections: [ObjectIdentifier: HTTPServerConnection] = [:]
    /// Where it listens, with the port that the system chose.
    package let address: SocketAddress
    /// Connections that were ever accepted.
    package private(set) var connectionCount = 0

    /// Listens at an address; port 0 lets the system choose.
    package init(
        bind: SocketAddress = SocketAddress(ipv4: 0x7F00_0001, port: 0),
        handler: @escaping @Loop (HTTPRequest) -> HTTPAnswer = { _ in HTTPAnswer(status: 404) }
    ) throws(LoopError) {
        self.handler = handler
        let door = Door()
        let listener = try TCPListener(bind: bind) { door.server?.accept($0) }
        address = listener.address
        self.listener = listener
        door.server = self
    }

    /// Lets the listener find the server, which exists only after it.
    @Loop
    private final class Door {
        weak var server: HTTPServer?
    }

    /// The beginning of its URLs, without a slash at the end.
    package var url: String { address.isIPv6 ? "http://[\(address.ip)]:\(address.port)" : "http://\(address)" }

    /// Connections that are open now.
    package var openConnections: Int { connections.count }

    /// Closes everything.
    package func stop() {
        listener?.close()
        listener = nil
        closeConnections()
    }

    /// Breaks every connection off and goes on listening.
    package func closeConnections() {
        for connection in connections.values { connection.stream.close() }
        connections = [:]
    }

    private func accept(_ stream: TCPConnection) {
        guard connections.count < Self.connectionLimit else { return stream.close() }
        connectionCount += 1
        let connection = HTTPServerConnection(stream) { [weak self] request in
            self?.handler(request) ?? HTTPAnswer(status: 503)
        }
        let id = ObjectIdentifier(connection)
        connections[id] = connection
        connection.start { [weak self] in
            self?.connections[id] = nil
            self?.onDisconnect?()
        }
    }
}
