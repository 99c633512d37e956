package import JSON

/// Values of some of a device's data points, in the order in which they stand in a message.
///
/// Ids are 1 … 255 on every device seen; larger ones are carried as well.
package struct DataPoints: Sendable {
    package typealias Element = (id: Int, value: JSON)

    private var entries: [Element] = []

    /// No values.
    package init() {}

    /// The members of a `dps` object whose key is a plain decimal number and whose value is not `null`.
    package init(object: JSONObject) {
        entries.reserveCapacity(object.count)
        for (key, value) in object where !value.isNull {
            if let id = Self.id(of: key) { entries.append((id, value)) }
        }
    }

    /// The value of a point; setting adds at the end or replaces in place, setting `nil` removes.
    package subscript(id: Int) -> JSON? {
        get {
            for entry in entries where entry.id == id { return entry.value }
            return nil
        }
        set {
            let index = entries.firstIndex { $0.id == id }
            switch (index, newValue) {
            case (let index?, let value?): entries[index].value = value
            case (let index?, nil): entries.remove(at: index)
            case (nil, let value?): entries.append((id, value))
            case (nil, nil): break
            }
        }
    }

    /// Appends the JSON object that goes into messages, without blanks.
    package func write(into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        for (id, value) in entries {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            bytes.append(UInt8(ascii: "\""))
            bytes.appendDecimal(Int64(id))
            bytes.append("\":")
            value.write(into: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// A key's number, if it is written as numbers are: no sign, no leading zero, at most six digits.
    ///
    /// Refusing other spellings keeps ids unique without looking for each.
    static func id(of key: String) -> Int? {
        var key = key
        return key.withUTF8 { digits in
            guard (1...6).contains(digits.count), digits[0] != 0x30 || digits.count == 1 else { return nil }
            var id = 0
            for digit in digits {
                guard (0x30...0x39).contains(digit) else { return nil }
                id = id * 10 + Int(digit - 0x30)
            }
            return id
        }
    }
}

extension DataPoints: Sequence {
    package func makeIterator() -> IndexingIterator<[Element]> { entries.makeIterator() }
    package var isEmpty: Bool { entries.isEmpty }
    package var count: Int { entries.count }
    /// The ids in order.
    package var ids: [Int] { entries.map(\.id) }
}

extension DataPoints: Equatable {
    /// Whether both hold equal values for the same points, in whatever order.
    package static func == (left: DataPoints, right: DataPoints) -> Bool {
        left.count == right.count && left.entries.allSatisfy { right[$0.id] == $0.value }
    }
}

extension DataPoints: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (Int, JSON)...) {
        for (id, value) in elements { self[id] = value }
    }
}

extension DataPoints: CustomStringConvertible {
    package var description: String {
        var bytes: [UInt8] = []
        write(into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
