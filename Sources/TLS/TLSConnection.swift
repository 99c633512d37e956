package import EventLoop

/// TLS 1.2 with a pre-shared key over a TCP connection, whichever side dialled it.
///
/// Whoever holds the object owns the connection: dropping the last reference closes it without a word to ``onClose``.
/// Closures may hold the object that they are set on; they are released when it closes. Every closure is called on the
/// loop, never from inside a call to this class.
@Loop
package final class TLSConnection {
    /// Called once when the handshake is over.
    package var onEstablished: (@Loop () -> Void)?
    /// Gets the plaintext of each record of the peer.
    package var onRecord: (@Loop ([UInt8]) -> Void)?
    /// Called once, after the connection has closed: with nil after the peer's notice or our own ``close()``, else with
    /// what broke it.
    package var onClose: (@Loop (TLSError?) -> Void)?

    private let connection: TCPConnection
    private let engine: TLSEngine
    private var deadline: LoopTimer?
    private var failure: TLSError?
    private var isStarted = false
    private var isOver = false

    /// Takes a connection over; nothing is read or sent before ``start(deadline:)``.
    ///
    /// - Throws: ``TLSError/library(operation:words:)``.
    package init(
        _ connection: TCPConnection,
        role: TLSRole,
        options: TLSOptions = TLSOptions()
    ) throws(TLSError) {
        self.connection = connection
        engine = try TLSEngine(role, options: options)
        connection.onClose = { [weak self] reason in self?.didClose(reason) }
    }

    /// Our end and the peer's.
    package var localAddress: SocketAddress { connection.localAddress }
    package var remoteAddress: SocketAddress { connection.remoteAddress }
    /// Whether the handshake is over and the connection is not.
    package var isEstablished: Bool { engine.isEstablished }
    /// The identity that the client named; servers know it.
    package var peerIdentity: String? { engine.peerIdentity }
    /// The numbers in the client's offer; servers know them, also where the handshake failed.
    package var offeredSuites: [UInt16] { engine.offeredSuites }
    /// The number of the suite that was agreed on.
    package var suite: UInt16? { engine.suite }
    /// The most bytes that one call to ``send(_:)`` takes.
    package var recordLimit: Int { engine.recordLimit }

    /// Begins the handshake, which must end within `deadline`.
    package func start(deadline: Duration) {
        guard !isStarted else { return }
        isStarted = true
        self.deadline = LoopTimer(after: deadline) { [weak self] in self?.end(.timedOut(after: deadline)) }
        connection.onBytes = { [weak self] bytes in self?.receive(bytes) }
        do throws(TLSError) {
            try engine.start()
            flush()
        } catch {
            end(error)
        }
    }

    /// Sends bytes as one record.
    ///
    /// - Throws: ``TLSError/tooLong(bytes:limit:)``, ``TLSError/notEstablished``, ``TLSError/closed`` or what ended the
    ///   connection.
    package func send(_ plaintext: [UInt8]) throws(TLSError) {
        guard connection.isOpen else { throw failure ?? .closed }
        try engine.send(plaintext)
        flush()
    }

    /// Gives the peer notice and closes.
    package func close() {
        end(nil)
    }

    // MARK: Bytes

    private func flush() {
        connection.write(engine.takeOutput())
    }

    private func receive(_ bytes: [UInt8]) {
        let wasEstablished = engine.isEstablished
        let records: [[UInt8]]
        do throws(TLSError) {
            records = try engine.receive(bytes)
        } catch {
            return end(error)
        }
        flush()
        if !wasEstablished, engine.isEstablished || !records.isEmpty {
            deadline = nil
            onEstablished?()
        }
        for record in records where !isOver { onRecord?(record) }
        switch engine.state {
        case .handshaking, .established: break
        case .ended: end(nil)
        case .failed(let error): end(error)
        }
    }

    // MARK: End

    private func end(_ error: TLSError?) {
        guard !isOver else { return }
        isOver = true
        failure = error
        deadline = nil
        engine.close()
        flush()
        connection.close()
    }

    /// The stream has closed: after ``end(_:)``, or because the peer or the network ended it.
    private func didClose(_ reason: LoopError?) {
        deadline = nil
        if !isOver {
            isOver = true
            do throws(TLSError) {
                if let reason { throw .connection(reason) }
                try engine.receiveEnd()
            } catch {
                failure = error
            }
        }
        let report = onClose
        onClose = nil
        onRecord = nil
        onEstablished = nil
        report?(failure)
    }
}
