internal import EventLoop

/// The way out of a simulated device: passes frames to the connection, or does to them what the faults say.
@Loop
final class LampOutlet {
    private struct Piece {
        /// Not before this.
        let due: MonotonicTime
        /// The time after the piece before, which a late loop must not shorten: the pieces would become one segment.
        let pause: Duration
        let bytes: [UInt8]
    }

    private let connection: TCPConnection
    private var waiting: [Piece] = []
    private var merged: [UInt8] = []
    private var written = MonotonicTime(nanoseconds: 0)
    private var timer: LoopTimer?
    private var mergeTimer: LoopTimer?

    init(_ connection: TCPConnection) {
        self.connection = connection
    }

    /// Sends one frame.
    func send(_ frame: [UInt8], _ faults: LampFaults) {
        if faults.sendsPlainly, waiting.isEmpty, merged.isEmpty { return connection.write(frame) }
        var bytes = faults.garbage + frame
        // The last four bytes are the suffix, in front of it stands the checksum.
        if faults.corruptsChecksums { bytes[bytes.count - 5] ^= 0x5A }
        guard let window = faults.mergeWindow else { return schedule(bytes, faults) }
        merged += bytes
        guard mergeTimer == nil else { return }
        mergeTimer = LoopTimer(after: window) { [weak self] in
            guard let self else { return }
            mergeTimer = nil
            let bytes = merged
            merged = []
            schedule(bytes, faults)
        }
    }

    private func schedule(_ bytes: [UInt8], _ faults: LampFaults) {
        let due = Loop.now + faults.delay
        var rest = bytes[...]
        var turn = 0
        while !rest.isEmpty {
            let size = faults.segmentSizes.isEmpty ? rest.count : faults.segmentSizes[turn % faults.segmentSizes.count]
            let pause = turn == 0 ? .zero : faults.segmentPause
            waiting.append(Piece(due: due, pause: pause, bytes: [UInt8](rest.prefix(max(1, size)))))
            rest = rest.dropFirst(max(1, size))
            turn += 1
        }
        if timer == nil { release() }
    }

    /// Sends what is due; a piece waits for those before it, so that the order of frames is kept whatever the faults
    /// were when each was made.
    private func release() {
        timer = nil
        while let piece = waiting.first {
            let moment = max(piece.due, written + piece.pause)
            guard moment <= Loop.now else {
                timer = LoopTimer(at: moment) { [weak self] in self?.release() }
                return
            }
            waiting.removeFirst()
            connection.write(piece.bytes)
            written = Loop.now
        }
    }
}
