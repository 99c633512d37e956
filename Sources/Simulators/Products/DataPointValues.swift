package import JSON

/// Values of data points, in ascending order of their ids.
package struct DataPointValues: Sendable, Equatable {
    /// One data point's value.
    package struct Entry: Sendable, Equatable {
        package let id: Int
        package var value: JSON
    }

    package private(set) var entries: [Entry] = []

    package init() {}

    package init(_ values: [Int: JSON]) {
        entries = values.map(Entry.init).sorted { $0.id < $1.id }
    }

    /// Reads `{"20":true,…}`; members whose name is no whole number are left out.
    package init(_ object: JSONObject) {
        entries.reserveCapacity(object.count)
        for (name, value) in object {
            guard let id = Int(name) else { continue }
            self[id] = value
        }
    }

    package var isEmpty: Bool { entries.isEmpty }
    package var ids: [Int] { entries.map(\.id) }

    package subscript(id: Int) -> JSON? {
        get { entries.first { $0.id == id }?.value }
        set {
            let index = entries.firstIndex { $0.id >= id } ?? entries.endIndex
            let isPresent = index < entries.endIndex && entries[index].id == id
            switch (newValue, isPresent) {
            case (let value?, true): entries[index].value = value
            case (let value?, false): entries.insert(Entry(id: id, value: value), at: index)
            case (nil, true): entries.remove(at: index)
            case (nil, false): break
            }
        }
    }

    /// Takes over all values of `other`.
    package mutating func merge(_ other: DataPointValues) {
        for entry in other.entries { self[entry.id] = entry.value }
    }

    /// The values of these ids, as far as there are any.
    package func limited(to ids: [Int]) -> DataPointValues {
        var result = DataPointValues()
        result.entries = entries.filter { ids.contains($0.id) }
        return result
    }

    /// The values that are not the same in `other`.
    package func differing(from other: DataPointValues) -> DataPointValues {
        var result = DataPointValues()
        result.entries = entries.filter { other[$0.id] != $0.value }
        return result
    }

    /// Appends `{"20":true,…}`.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        for entry in entries {
            writer.key(String(entry.id))
            writer.value(entry.value)
        }
        writer.endObject()
    }
}

extension DataPointValues: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (Int, JSON)...) {
        self.init()
        for (id, value) in elements { self[id] = value }
    }
}

extension DataPointValues: CustomStringConvertible {
    package var description: String {
        var writer = JSONWriter()
        write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
