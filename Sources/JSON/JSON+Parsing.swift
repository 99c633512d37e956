extension JSON {
    /// Reads one JSON text (RFC 8259), which must fill the bytes but for white space around it.
    ///
    /// - Throws: ``JSONError`` with the offset in `bytes`.
    public static func parse(_ bytes: [UInt8], limits: JSONLimits = .standard) throws(JSONError) -> JSON {
        try bytes.withUnsafeBufferPointer { (buffer) throws(JSONError) in
            try parse(UnsafeRawBufferPointer(buffer), limits: limits)
        }
    }

    /// Reads one JSON text out of a longer run of bytes.
    ///
    /// - Throws: ``JSONError`` with the offset from the start of the slice.
    public static func parse(_ bytes: ArraySlice<UInt8>, limits: JSONLimits = .standard) throws(JSONError) -> JSON {
        try bytes.withUnsafeBufferPointer { (buffer) throws(JSONError) in
            try parse(UnsafeRawBufferPointer(buffer), limits: limits)
        }
    }

    /// Reads one JSON text.
    ///
    /// - Throws: ``JSONError`` with the offset in the UTF-8 of `text`.
    public static func parse(_ text: String, limits: JSONLimits = .standard) throws(JSONError) -> JSON {
        try parse(Array(text.utf8), limits: limits)
    }

    /// Reads one JSON text from memory that stays valid during the call.
    package static func parse(
        _ bytes: UnsafeRawBufferPointer,
        limits: JSONLimits = .standard
    ) throws(JSONError) -> JSON {
        guard bytes.count <= limits.maxBytes else {
            throw JSONError(.tooLarge(limit: limits.maxBytes), at: limits.maxBytes)
        }
        guard let start = bytes.baseAddress, !bytes.isEmpty else { throw JSONError(.unexpectedEnd, at: 0) }
        var parser = JSONParser(start: start, count: bytes.count, limits: limits)
        return try parser.parseText()
    }
}
