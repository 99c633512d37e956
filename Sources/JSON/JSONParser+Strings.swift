extension JSONParser {
    /// Reads a string from its opening quote to after its closing quote.
    mutating func parseString() throws(JSONError) -> String {
        let opening = cursor
        cursor += 1
        let contents = cursor
        let isASCII = skipPlain()
        guard cursor < end else { throw failure(.unexpectedEnd) }
        guard byte(at: 0) == UInt8(ascii: "\"") else {
            return try parseEscapedString(opening: opening)
        }
        let count = cursor - contents
        guard count <= limits.maxStringBytes else {
            throw failure(.stringTooLong(limit: limits.maxStringBytes), at: opening)
        }
        let utf8 = UnsafeRawBufferPointer(start: contents, count: count)
        fingerprint = Self.fingerprint(of: utf8)
        cursor += 1
        if isASCII { return Self.string(ascii: utf8) }
        if let text = String(validating: utf8, as: UTF8.self) { return text }
        throw failure(.invalidUTF8, at: contents + firstInvalidUTF8(in: utf8))
    }

    /// Mixes length, first and last byte, by which the keys of one object mostly differ.
    @inline(__always)
    private static func fingerprint(of utf8: UnsafeRawBufferPointer) -> Int {
        guard let first = utf8.first, let last = utf8.last else { return 0 }
        return utf8.count &* 7 ^ Int(first) &* 5 ^ Int(last) &* 11
    }

    @inline(__always)
    private static func string(ascii: UnsafeRawBufferPointer) -> String {
        // Up to 15 bytes lie in the string itself, and this way they are not validated again.
        guard ascii.count <= 15 else { return String(decoding: ascii, as: UTF8.self) }
        return String(unsafeUninitializedCapacity: ascii.count) { buffer in
            UnsafeMutableRawBufferPointer(buffer).copyMemory(from: ascii)
            return ascii.count
        }
    }

    /// Reads on from the first byte of a string that is not plain: an escape or a control character.
    private mutating func parseEscapedString(opening: UnsafeRawPointer) throws(JSONError) -> String {
        scratch.removeAll(keepingCapacity: true)
        try appendPlain(from: opening + 1)
        while true {
            switch byte(at: 0) {
            case UInt8(ascii: "\""):
                cursor += 1
                guard scratch.count <= limits.maxStringBytes else {
                    throw failure(.stringTooLong(limit: limits.maxStringBytes), at: opening)
                }
                fingerprint = scratch.withUnsafeBytes { Self.fingerprint(of: $0) }
                return String(decoding: scratch, as: UTF8.self)
            case UInt8(ascii: "\\"):
                try parseEscape()
            case let control:
                throw failure(.controlCharacter(control))
            }
            let plain = cursor
            _ = skipPlain()
            try appendPlain(from: plain)
            guard cursor < end else { throw failure(.unexpectedEnd) }
        }
    }

    /// Checks and keeps the bytes up to the cursor.
    private mutating func appendPlain(from plain: UnsafeRawPointer) throws(JSONError) {
        let utf8 = UnsafeRawBufferPointer(start: plain, count: cursor - plain)
        let invalid = firstInvalidUTF8(in: utf8)
        guard invalid == utf8.count else { throw failure(.invalidUTF8, at: plain + invalid) }
        scratch.append(contentsOf: utf8)
    }

    /// Reads an escape sequence from its backslash.
    private mutating func parseEscape() throws(JSONError) {
        guard end - cursor >= 2 else { throw failure(.unexpectedEnd, at: end) }
        let letter = byte(at: 1)
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(letter)
        case UInt8(ascii: "b"): scratch.append(0x08)
        case UInt8(ascii: "f"): scratch.append(0x0c)
        case UInt8(ascii: "n"): scratch.append(0x0a)
        case UInt8(ascii: "r"): scratch.append(0x0d)
        case UInt8(ascii: "t"): scratch.append(0x09)
        case UInt8(ascii: "u"):
            scratch.append(contentsOf: UTF8.encode(try parseUnicodeEscape()) ?? UTF8.encodedReplacementCharacter)
            return
        default:
            throw failure(.invalidEscape)
        }
        cursor += 2
    }

    /// Reads `\uXXXX`, or two of them that are a surrogate pair.
    private mutating func parseUnicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let first = try parseCodeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        let pair = cursor - 6
        guard UTF16.isLeadSurrogate(first), end - cursor >= 2, byte(at: 0) == UInt8(ascii: "\\"),
            byte(at: 1) == UInt8(ascii: "u")
        else { throw failure(.loneSurrogate, at: pair) }
        let second = try parseCodeUnit()
        guard UTF16.isTrailSurrogate(second) else { throw failure(.loneSurrogate, at: pair) }
        let value = 0x10000 + (UInt32(first) - 0xd800) << 10 + (UInt32(second) - 0xdc00)
        guard let scalar = Unicode.Scalar(value) else { throw failure(.loneSurrogate, at: pair) }
        return scalar
    }

    /// Reads `\uXXXX` from its backslash.
    private mutating func parseCodeUnit() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for offset in 2..<6 {
            guard end - cursor > offset else { throw failure(.unexpectedEnd, at: end) }
            let digit: UInt8
            switch byte(at: offset) {
            case let byte where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte): digit = byte - 0x30
            case let byte where (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte): digit = byte - 0x57
            case let byte where (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte): digit = byte - 0x37
            default: throw failure(.invalidEscape)
            }
            unit = unit << 4 | UInt16(digit)
        }
        cursor += 6
        return unit
    }

    /// Moves the cursor to the next quote, backslash or control character, or to the end.
    ///
    /// - Returns: whether all bytes passed were ASCII.
    private mutating func skipPlain() -> Bool {
        // A local copy stays in a register.
        var next = cursor
        defer { cursor = next }
        var seen: UInt64 = 0
        while end - next >= 8 {
            let word = UInt64(littleEndian: next.loadUnaligned(as: UInt64.self))
            let stop = ByteWord.stringStops(in: word)
            if stop != 0 {
                let plainBits = stop.trailingZeroBitCount & ~7
                next += plainBits / 8
                seen |= word & ~(UInt64.max &<< UInt64(plainBits))
                return seen & ByteWord.highBits == 0
            }
            seen |= word
            next += 8
        }
        while next < end {
            let byte = next.load(as: UInt8.self)
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
            seen |= UInt64(byte)
            next += 1
        }
        return seen & ByteWord.highBits == 0
    }
}
