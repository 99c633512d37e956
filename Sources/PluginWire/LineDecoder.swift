import Glibc

/// Cuts a stream of bytes into lines, however they were split or merged on the way.
///
/// A line ends with LF or CRLF, which are not part of it; blank lines are passed over. At most one line's worth of bytes is
/// kept between two chunks. Give it a chunk, then take lines until there is none:
///
/// ```swift
/// decoder.append(chunk)
/// while let line = try decoder.next() { handle(line) }
/// ```
public struct LineDecoder: Sendable {
    /// The longest line of the plugin protocol, in bytes, without its end: 1 MiB.
    public static let maxLineBytes = 1 << 20

    private let limit: Int
    private var chunk: [UInt8] = []
    private var offset = 0
    /// The beginning of a line whose end has not come.
    private var partial: [UInt8] = []
    private var isBroken = false

    /// Makes a decoder.
    ///
    /// - Parameter limit: the longest line, in bytes, without its end.
    public init(limit: Int = maxLineBytes) {
        self.limit = limit
    }

    /// How many bytes wait for the rest of their line.
    public var pendingBytes: Int { partial.count + chunk.count - offset }

    /// Takes the next bytes of the stream.
    public mutating func append(_ bytes: [UInt8]) {
        guard !isBroken else { return }
        if offset < chunk.count {
            // The caller stopped in the middle of the last chunk.
            chunk.append(contentsOf: bytes)
        } else {
            chunk = bytes
            offset = 0
        }
    }

    /// Takes the next whole line off the stream.
    ///
    /// - Returns: the line, or nil where its end has not come yet.
    /// - Throws: ``WireFault/lineTooLong(limit:)``, now and ever after: where the next line starts is not known.
    public mutating func next() throws(WireFault) -> ArraySlice<UInt8>? {
        while !isBroken {
            guard let end = newline() else {
                guard partial.count + chunk.count - offset <= limit + 1 else { break }
                partial.append(contentsOf: chunk[offset...])
                chunk = []
                offset = 0
                return nil
            }
            var line = chunk[offset..<end]
            offset = end + 1
            if !partial.isEmpty {
                // Checked before it is joined, so that memory stays within the limit.
                guard partial.count + line.count <= limit + 1 else { break }
                partial.append(contentsOf: line)
                line = partial[...]
                partial = []
            }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            guard line.count <= limit else { break }
            if !line.isEmpty { return line }
        }
        isBroken = true
        chunk = []
        offset = 0
        partial = []
        throw .lineTooLong(limit: limit)
    }

    /// The position of the next newline in the chunk.
    private func newline() -> Int? {
        chunk.withUnsafeBytes { bytes in
            guard offset < bytes.count, let base = bytes.baseAddress,
                let found = memchr(base + offset, 0x0a, bytes.count - offset)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }
}
