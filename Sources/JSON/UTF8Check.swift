/// The offset of the first byte of the first ill-formed sequence (Unicode 16, table 3-7), or the count if there is none.
///
/// Overlong forms, surrogates, values above U+10FFFF and truncated sequences are ill-formed.
func firstInvalidUTF8(in bytes: UnsafeRawBufferPointer) -> Int {
    var offset = 0
    while offset < bytes.count {
        if bytes.count - offset >= 8,
            bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & ByteWord.highBits == 0
        {
            offset += 8
            continue
        }
        let length = sequenceLength(in: bytes, at: offset)
        guard length > 0 else { return offset }
        offset += length
    }
    return offset
}

/// The length of the well-formed sequence at an offset, 0 if it is ill-formed.
private func sequenceLength(in bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
    let first = bytes[offset]
    let length: Int
    // Only the second byte's range depends on the first byte.
    let second: ClosedRange<UInt8>
    switch first {
    case 0x00...0x7f: return 1
    case 0xc2...0xdf: (length, second) = (2, 0x80...0xbf)
    case 0xe0: (length, second) = (3, 0xa0...0xbf)
    case 0xed: (length, second) = (3, 0x80...0x9f)
    case 0xe1...0xef: (length, second) = (3, 0x80...0xbf)
    case 0xf0: (length, second) = (4, 0x90...0xbf)
    case 0xf1...0xf3: (length, second) = (4, 0x80...0xbf)
    case 0xf4: (length, second) = (4, 0x80...0x8f)
    default: return 0
    }
    guard bytes.count - offset >= length, second.contains(bytes[offset + 1]) else { return 0 }
    for next in 2..<max(2, length) where bytes[offset + next] & 0xc0 != 0x80 {
        return 0
    }
    return length
}
