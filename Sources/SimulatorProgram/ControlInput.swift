import EventLoop

/// Standard input as lines.
@Loop
final class ControlInput {
    /// Longer lines are cut into pieces, so that no sender can fill the memory.
    private static let lineLimit = 64 * 1024

    var onEnd: (@Loop () -> Void)?
    private let onLine: @Loop (String) -> Void
    private var pipe: PipeConnection?
    private var rest: [UInt8] = []

    init(_ onLine: @escaping @Loop (String) -> Void) {
        self.onLine = onLine
    }

    /// Begins to read; what is no pipe, terminal or socket (a file, /dev/null) counts as ended.
    func start() {
        guard let pipe = try? PipeConnection(descriptor: 0) else {
            onEnd?()
            return
        }
        self.pipe = pipe
        pipe.onClose = { [weak self] _ in self?.onEnd?() }
        pipe.onBytes = { [weak self] bytes in self?.receive(bytes) }
    }

    func stop() {
        onEnd = nil
        pipe?.close()
        pipe = nil
    }

    private func receive(_ bytes: [UInt8]) {
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") || rest.count >= Self.lineLimit else {
                rest.append(byte)
                continue
            }
            let line = rest
            rest = []
            if !line.isEmpty { onLine(String(decoding: line, as: UTF8.self)) }
        }
    }
}
