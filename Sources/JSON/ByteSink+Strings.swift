extension ByteSink {
    /// Appends a string in quotes, escaping what must be.
    mutating func append(quoted string: String) {
        // Native strings have contiguous UTF-8, so the copy below is for strings from elsewhere only.
        let done: Void? = string.utf8.withContiguousStorageIfAvailable { append(quoted: UnsafeRawBufferPointer($0)) }
        if done == nil {
            Array(string.utf8).withUnsafeBytes { append(quoted: $0) }
        }
    }

    private mutating func append(quoted utf8: UnsafeRawBufferPointer) {
        if utf8.count <= 64, appendPlain(quoted: utf8) { return }
        append(UInt8(ascii: "\""))
        // A byte becomes six at most, so each piece fits into the room made for it.
        let piece = 256
        var offset = 0
        while offset < utf8.count {
            let end = min(offset + piece, utf8.count)
            append(escaping: UnsafeRawBufferPointer(rebasing: utf8[offset..<end]))
            offset = end
        }
        append(UInt8(ascii: "\""))
    }

    /// Appends a short string in quotes if nothing in it must be escaped.
    ///
    /// - Returns: whether it did.
    private mutating func appendPlain(quoted utf8: UnsafeRawBufferPointer) -> Bool {
        let count = utf8.count
        let target = reserve(count + 2)
        let text = target + 1
        var stops: UInt64 = 0
        if count >= 8 {
            // The last word overlaps the one before.
            var offset = 0
            while true {
                let word = utf8.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                text.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
                stops |= ByteWord.stringStops(in: word)
                if offset == count - 8 { break }
                offset = min(offset + 8, count - 8)
            }
        } else if count >= 4 {
            let first = utf8.loadUnaligned(fromByteOffset: 0, as: UInt32.self)
            let last = utf8.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
            text.storeBytes(of: first, as: UInt32.self)
            text.storeBytes(of: last, toByteOffset: count - 4, as: UInt32.self)
            stops = ByteWord.stringStops(in: UInt64(first) | UInt64(last) << 32)
        } else {
            for offset in 0..<count {
                let byte = utf8[offset]
                if Self.mustEscape(byte) { return false }
                text.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
            }
        }
        guard stops == 0 else { return false }
        target.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
        text.storeBytes(of: UInt8(ascii: "\""), toByteOffset: count, as: UInt8.self)
        advance(by: count + 2)
        return true
    }

    private mutating func append(escaping utf8: UnsafeRawBufferPointer) {
        var target = reserve(6 * utf8.count + 8)
        var offset = 0
        while offset < utf8.count {
            if utf8.count - offset >= 8 {
                let word = utf8.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                target.storeBytes(of: word, as: UInt64.self)
                let stop = ByteWord.stringStops(in: UInt64(littleEndian: word))
                let plain = stop == 0 ? 8 : stop.trailingZeroBitCount / 8
                target += plain
                offset += plain
                if stop == 0 { continue }
            }
            let byte = utf8[offset]
            offset += 1
            if Self.mustEscape(byte) {
                Self.escape(byte, to: &target)
            } else {
                target.storeBytes(of: byte, as: UInt8.self)
                target += 1
            }
        }
        advance(to: target)
    }

    @inline(__always)
    private static func mustEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Writes the shortest escape sequence of a byte that must have one, at most six bytes.
    private static func escape(_ byte: UInt8, to target: inout UnsafeMutableRawPointer) {
        func put(_ byte: UInt8) {
            target.storeBytes(of: byte, as: UInt8.self)
            target += 1
        }
        put(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): put(byte)
        case 0x08: put(UInt8(ascii: "b"))
        case 0x09: put(UInt8(ascii: "t"))
        case 0x0a: put(UInt8(ascii: "n"))
        case 0x0c: put(UInt8(ascii: "f"))
        case 0x0d: put(UInt8(ascii: "r"))
        default:
            put(UInt8(ascii: "u"))
            put(UInt8(ascii: "0"))
            put(UInt8(ascii: "0"))
            put(UInt8(ascii: "0") + byte >> 4)
            put(byte & 15 + (byte & 15 < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
        }
    }
}
