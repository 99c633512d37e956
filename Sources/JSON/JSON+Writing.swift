extension JSON {
    /// The value as compact JSON: UTF-8, no white space, members in insertion order.
    ///
    /// Doubles are the shortest text that reads back as the same value, integral ones with `.0`; one that is not finite
    /// is `null`. Only quotes, backslashes and control characters are escaped.
    public func serialized() -> [UInt8] {
        var sink = ByteSink(capacity: 512)
        sink.append(self)
        return Array(sink.bytes)
    }

    /// The value as compact JSON text.
    public var text: String {
        var sink = ByteSink(capacity: 512)
        sink.append(self)
        return String(decoding: sink.bytes, as: UTF8.self)
    }

    /// Appends what ``serialized()`` returns.
    public func write(into bytes: inout [UInt8]) {
        var sink = ByteSink(capacity: isContainer ? 512 : 64)
        sink.append(self)
        bytes.append(contentsOf: sink.bytes)
    }

    private var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }
}

extension JSONObject {
    /// Appends the object as compact JSON.
    public func write(into bytes: inout [UInt8]) {
        var sink = ByteSink(capacity: 512)
        sink.append(self)
        bytes.append(contentsOf: sink.bytes)
    }
}
