import EventLoop

/// The last words of a process, for the case that it ends when it should not.
@Loop
final class ProcessLog {
    private static let limit = 8192

    private var bytes: [UInt8] = []

    var text: String { String(decoding: bytes, as: UTF8.self) }

    func follow(_ pipe: PipeConnection?) {
        pipe?.onBytes = { [weak self] more in
            guard let self else { return }
            bytes += more
            if bytes.count > Self.limit { bytes.removeFirst(bytes.count - Self.limit) }
        }
    }
}
