package import JSON

/// The data of a record, in the order given: `["plugin": "acme", "attempt": 2]`.
package struct LogMetadata: Sendable, Equatable {
    /// The values as a JSON object.
    package private(set) var json: JSONObject

    /// Makes metadata from a JSON object.
    package init(_ json: JSONObject = JSONObject()) {
        self.json = json
    }

    /// Makes metadata of texts, in the order of their keys.
    package init(_ texts: [String: String]) {
        json = JSONObject(texts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
    }

    package var isEmpty: Bool { json.isEmpty }

    /// The value of a key; setting replaces or adds at the end.
    package subscript(key: String) -> LogValue? {
        get { json[key].map { LogValue($0) } }
        set { json[key] = newValue?.json }
    }

    /// These values and then those, which win where both have a key.
    func merging(_ other: LogMetadata) -> LogMetadata {
        if isEmpty { return other }
        var merged = self
        for (key, value) in other.json {
            merged.json[key] = value
        }
        return merged
    }
}

extension LogMetadata: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, LogValue)...) {
        json = JSONObject(elements.map { ($0, $1.json) })
    }
}
