/// A recursive descent parser over bytes that stay valid while it lives; depth is bounded by the limits.
struct JSONParser: ~Copyable {
    let start: UnsafeRawPointer
    let end: UnsafeRawPointer
    let limits: JSONLimits
    let maxDepth: Int
    /// The next byte to look at; `start...end`.
    var cursor: UnsafeRawPointer

    /// Finished elements of the arrays being read, the innermost array's last.
    private var elements = MoveStack<JSON>()
    /// Finished members of the objects being read, the innermost object's last.
    private var members = MoveStack<JSONObject.Member>()
    /// A few bits that are equal for equal strings, of the string read last.
    var fingerprint = 0
    /// Where strings with escapes are put together.
    var scratch: [UInt8] = []

    init(start: UnsafeRawPointer, count: Int, limits: JSONLimits) {
        self.start = start
        end = start + count
        cursor = start
        self.limits = limits
        maxDepth = min(limits.maxDepth, JSONLimits.deepest)
    }

    mutating func parseText() throws(JSONError) -> JSON {
        if end - start >= 3, byte(at: 0) == 0xef, byte(at: 1) == 0xbb, byte(at: 2) == 0xbf {
            throw failure(.byteOrderMark)
        }
        skipSpace()
        let value = try parseValue(depth: 0)
        skipSpace()
        guard cursor == end else { throw failure(.trailingBytes) }
        return value
    }

    private mutating func parseValue(depth: Int) throws(JSONError) -> JSON {
        guard cursor < end else { throw failure(.unexpectedEnd) }
        switch byte(at: 0) {
        case UInt8(ascii: "\""):
            return .string(try parseString())
        case UInt8(ascii: "{"):
            return .object(try parseObject(depth: depth + 1))
        case UInt8(ascii: "["):
            return .array(try parseArray(depth: depth + 1))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return try parseNumber()
        case UInt8(ascii: "t"):
            try expect("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try expect("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try expect("null")
            return .null
        case let other:
            throw failure(.unexpectedByte(other))
        }
    }

    private mutating func parseArray(depth: Int) throws(JSONError) -> [JSON] {
        guard depth <= maxDepth else { throw failure(.tooDeep(limit: maxDepth)) }
        cursor += 1
        let base = elements.count
        skipSpace()
        if cursor < end, byte(at: 0) == UInt8(ascii: "]") {
            cursor += 1
            return []
        }
        while true {
            skipSpace()
            elements.push(try parseValue(depth: depth))
            if try isClosed(by: UInt8(ascii: "]")) { return elements.popAll(from: base) }
        }
    }

    private mutating func parseObject(depth: Int) throws(JSONError) -> JSONObject {
        guard depth <= maxDepth else { throw failure(.tooDeep(limit: maxDepth)) }
        cursor += 1
        let base = members.count
        var positions: [ByteKey: Int]?
        // A bit for the fingerprint of each key so far: most keys are known to be new without a comparison.
        var marks: UInt64 = 0
        skipSpace()
        if cursor < end, byte(at: 0) == UInt8(ascii: "}") {
            cursor += 1
            return JSONObject()
        }
        while true {
            skipSpace()
            guard cursor < end else { throw failure(.unexpectedEnd) }
            guard byte(at: 0) == UInt8(ascii: "\"") else { throw failure(.unexpectedByte(byte(at: 0))) }
            let keyStart = cursor
            let key = try parseString()
            let mark = UInt64(1) &<< UInt64(fingerprint & 63)
            let known = knownPosition(of: key, base: base, mayBeKnown: marks & mark != 0, positions: &positions)
            marks |= mark
            if known != nil, limits.duplicateKeys == .reject { throw failure(.duplicateKey, at: keyStart) }
            skipSpace()
            guard cursor < end else { throw failure(.unexpectedEnd) }
            guard byte(at: 0) == UInt8(ascii: ":") else { throw failure(.unexpectedByte(byte(at: 0))) }
            cursor += 1
            skipSpace()
            let value = try parseValue(depth: depth)
            if let known {
                members.slots[base + known].value = value
            } else {
                positions?[ByteKey(key)] = members.count - base
                members.push(JSONObject.Member(key: key, value: value))
            }
            if try isClosed(by: UInt8(ascii: "}")) {
                return JSONObject(unique: members.popAll(from: base), positions: positions)
            }
        }
    }

    /// Finds an earlier member of the innermost object, which starts at `base`; large objects get an index on the way.
    private mutating func knownPosition(
        of key: String,
        base: Int,
        mayBeKnown: Bool,
        positions: inout [ByteKey: Int]?
    ) -> Int? {
        if let positions { return positions[ByteKey(key)] }
        let count = members.count - base
        if count == JSONObject.indexThreshold {
            var index = [ByteKey: Int](minimumCapacity: 2 * count)
            for position in 0..<count {
                index[ByteKey(members.slots[base + position].key)] = position
            }
            positions = index
            return index[ByteKey(key)]
        }
        guard mayBeKnown else { return nil }
        for position in 0..<count where members.slots[base + position].key.isIdentical(to: key) {
            return position
        }
        return nil
    }

    /// Passes what stands after an element: `false` at a comma, `true` at the closing bracket.
    @inline(__always)
    private mutating func isClosed(by bracket: UInt8) throws(JSONError) -> Bool {
        skipSpace()
        guard cursor < end else { throw failure(.unexpectedEnd) }
        switch byte(at: 0) {
        case UInt8(ascii: ","):
            cursor += 1
            return false
        case bracket:
            cursor += 1
            return true
        case let other:
            throw failure(.unexpectedByte(other))
        }
    }

    private mutating func expect(_ literal: StaticString) throws(JSONError) {
        for offset in 0..<literal.utf8CodeUnitCount {
            guard cursor < end else { throw failure(.unexpectedEnd) }
            guard byte(at: 0) == literal.utf8Start[offset] else { throw failure(.unexpectedByte(byte(at: 0))) }
            cursor += 1
        }
    }

    @inline(__always)
    private mutating func skipSpace() {
        while cursor < end {
            let byte = byte(at: 0)
            // Most often there is none: the first comparison decides.
            guard byte <= 0x20, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else { return }
            cursor += 1
        }
    }

    /// The byte `offset` after the cursor, which must be inside the text.
    @inline(__always)
    func byte(at offset: Int) -> UInt8 {
        cursor.load(fromByteOffset: offset, as: UInt8.self)
    }

    func failure(_ kind: JSONError.Kind) -> JSONError {
        failure(kind, at: cursor)
    }

    func failure(_ kind: JSONError.Kind, at place: UnsafeRawPointer) -> JSONError {
        JSONError(kind, at: place - start)
    }
}
