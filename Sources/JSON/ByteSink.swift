/// Memory of its own that grows while bytes are put at its end.
///
/// An array costs a uniqueness check and a bounds check with each append; here one check makes room for a whole token.
struct ByteSink: ~Copyable {
    private var base: UnsafeMutableRawPointer
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = max(capacity, 64)
        base = .allocate(byteCount: self.capacity, alignment: 1)
    }

    deinit {
        base.deallocate()
    }

    /// What is written so far; valid until the next change.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base, count: count)
    }

    mutating func removeAll() {
        count = 0
    }

    /// Makes room for at least `room` more bytes.
    ///
    /// - Returns: where the next byte goes.
    @inline(__always)
    mutating func reserve(_ room: Int) -> UnsafeMutableRawPointer {
        if capacity - count < room { grow(by: room) }
        return base + count
    }

    /// Counts bytes in that were written to reserved room.
    @inline(__always)
    mutating func advance(by written: Int) {
        assert(written <= capacity - count)
        count += written
    }

    /// Counts bytes in up to where writing to reserved room stopped.
    @inline(__always)
    mutating func advance(to end: UnsafeMutableRawPointer) {
        assert(end >= base + count && end <= base + capacity)
        count = UnsafeRawPointer(end) - UnsafeRawPointer(base)
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1).storeBytes(of: byte, as: UInt8.self)
        count += 1
    }

    mutating func append(bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }

    /// Appends ASCII text as it stands.
    @inline(__always)
    mutating func append(literal: StaticString) {
        let length = literal.utf8CodeUnitCount
        reserve(length).copyMemory(from: literal.utf8Start, byteCount: length)
        count += length
    }

    @inline(never)
    private mutating func grow(by room: Int) {
        let larger = max(capacity * 2, count + room)
        let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 1)
        moved.copyMemory(from: base, byteCount: count)
        base.deallocate()
        base = moved
        capacity = larger
    }
}
