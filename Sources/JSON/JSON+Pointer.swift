extension JSON {
    /// The value that a JSON pointer (RFC 6901) leads to, such as `/state/color/h` or `/list/0`.
    ///
    /// The empty pointer is the value itself; `~1` in a step stands for `/` and `~0` for `~`. `nil` where a step leads
    /// nowhere or the pointer is malformed.
    public subscript(pointer pointer: String) -> JSON? {
        if pointer.isEmpty { return self }
        let steps = pointer.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        // What stands before the first slash must be nothing.
        guard let first = steps.first, first.isEmpty else { return nil }
        var value = self
        for step in steps.dropFirst() {
            guard let name = Self.unescaped(Substring(step)), let next = value.child(named: name) else { return nil }
            value = next
        }
        return value
    }

    private func child(named name: String) -> JSON? {
        switch self {
        case .object(let object):
            return object[name]
        case .array(let elements):
            // `Int` would take a sign and leading zeros, which RFC 6901 does not.
            guard let index = Int(name), String(index).isIdentical(to: name), elements.indices.contains(index) else {
                return nil
            }
            return elements[index]
        default:
            return nil
        }
    }

    private static func unescaped(_ step: Substring) -> String? {
        guard step.utf8.contains(UInt8(ascii: "~")) else { return String(step) }
        var bytes: [UInt8] = []
        var rest = step.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "~") else {
                bytes.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
            case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
            default: return nil
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
