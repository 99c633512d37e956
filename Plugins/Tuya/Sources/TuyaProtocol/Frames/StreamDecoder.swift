internal import Crypto

/// Cuts a TCP byte stream into frames and finds back into it after garbage.
///
/// Feed it with ``append(_:)`` and call ``next(_:)`` until it returns `nil`; only then it keeps less than one frame.
/// One frame at a time, because the key may change between two frames of one segment.
///
/// Source: protocol description, section 3.4.
package struct StreamDecoder: Sendable {
    /// Largest value of a length field that is taken for real; infrared blasters and hubs send a few thousand bytes.
    package static let standardMaximumLength = 16_384

    /// Largest value of a length field that is taken for real.
    package let maximumLength: Int
    /// Bytes thrown away outside well-delimited frames, since the beginning.
    package private(set) var discarded = 0
    /// Frames in a row whose checksum did not fit.
    package private(set) var checksumFailures = 0

    private let returnCodes: ReturnCodeRule
    private var buffer: [UInt8] = []
    /// Where the bytes that are still of interest begin.
    private var start = 0

    /// - Parameter returnCodes: `.whereSmall` at the client's end of the connection, `.never` at the device's.
    package init(returnCodes: ReturnCodeRule, maximumLength: Int = standardMaximumLength) {
        self.returnCodes = returnCodes
        self.maximumLength = maximumLength
    }

    /// Bytes that wait for the rest of their frame.
    package var buffered: Int { buffer.count - start }

    /// Adds received bytes.
    package mutating func append(_ bytes: [UInt8]) {
        if start == buffer.count {
            // The usual case, one segment one frame: take the array over instead of copying it.
            buffer = bytes
            start = 0
        } else {
            if start > buffer.count / 2 { compact() }
            buffer.append(contentsOf: bytes)
        }
    }

    /// The next frame or error, or `nil` when more bytes are needed.
    ///
    /// - Parameter protection: what is in force at this moment.
    package mutating func next(_ protection: FrameProtection) -> StreamEvent? {
        guard let format = skipToPrefix(), buffered >= format.headerCount else { return nil }
        let length = Int(buffer.bigEndian(at: start + format.lengthOffset))
        guard length >= minimumLength(of: format, protection), length <= maximumLength else {
            discard(FrameFormat.prefixCount)
            return .failure(.badLength)
        }
        let total = format.frameCount(length: length)
        guard buffered >= total else { return nil }
        let end = start + total
        guard buffer.bigEndian(at: end - FrameFormat.suffixCount) == format.suffix else {
            discard(FrameFormat.prefixCount)
            return .failure(.badSuffix)
        }
        let event = FrameParser(bytes: buffer, frame: start..<end, returnCodes: returnCodes).event(format, protection)
        consume(to: end)
        if case .failure(let error) = event, error.isChecksumFailure {
            checksumFailures += 1
        } else {
            checksumFailures = 0
        }
        return event
    }

    private func minimumLength(of format: FrameFormat, _ protection: FrameProtection) -> Int {
        switch format {
        case .classic: (protection.classic?.codeCount ?? 4) + FrameFormat.suffixCount
        case .sealed: AESGCM.nonceLength + AESGCM.tagLength
        }
    }

    /// Moves to the earliest prefix; without one keeps only bytes that could begin one.
    private mutating func skipToPrefix() -> FrameFormat? {
        var index = start
        while index + FrameFormat.prefixCount <= buffer.count {
            if buffer[index] == 0, buffer[index + 1] == 0 {
                let format: FrameFormat? =
                    switch (buffer[index + 2], buffer[index + 3]) {
                    case (0x55, 0xAA): .classic
                    case (0x66, 0x99): .sealed
                    default: nil
                    }
                if let format {
                    discard(index - start)
                    return format
                }
            }
            index += 1
        }
        discard(buffered - possiblePrefixCount())
        return nil
    }

    /// Length of the longest tail, at most 3, that could be the beginning of a prefix.
    private func possiblePrefixCount() -> Int {
        let count = buffer.count
        if buffered >= 3, buffer[count - 3] == 0, buffer[count - 2] == 0,
            buffer[count - 1] == 0x55 || buffer[count - 1] == 0x66
        {
            return 3
        }
        if buffered >= 2, buffer[count - 2] == 0, buffer[count - 1] == 0 { return 2 }
        return buffered >= 1 && buffer[count - 1] == 0 ? 1 : 0
    }

    private mutating func discard(_ count: Int) {
        discarded += count
        consume(to: start + count)
    }

    private mutating func consume(to index: Int) {
        start = index
        guard start == buffer.count else { return }
        // Not `keepingCapacity`: the array may belong to the reader, and a thousand idle devices should hold nothing.
        buffer = []
        start = 0
    }

    private mutating func compact() {
        buffer.removeFirst(start)
        start = 0
    }
}
