package import JSON

/// A secret that prints, mirrors and serialises as `<redacted>` and has no coding.
///
/// Whoever needs the value says ``exposed``.
package struct Redacted<Value> {
    /// The secret in clear; keep it out of logs, topics, errors and reports.
    package let exposed: Value
    /// What is shown in its place.
    private let shown: String

    /// Hides a value wholly.
    package init(_ value: Value) {
        exposed = value
        shown = "<redacted>"
    }
}

extension Redacted<String> {
    /// Hides a key, but for its first two characters and its length where it has at least eight: enough to tell two keys
    /// apart, as `<redacted ab… 16 characters>`.
    package init(key: String) {
        exposed = key
        let length = key.count
        shown = length >= 8 ? "<redacted \(key.prefix(2))… \(length) characters>" : "<redacted>"
    }
}

extension Redacted: Sendable where Value: Sendable {}

extension Redacted: Equatable where Value: Equatable {
    package static func == (left: Redacted, right: Redacted) -> Bool {
        left.exposed == right.exposed
    }
}

extension Redacted: Hashable where Value: Hashable {
    package func hash(into hasher: inout Hasher) {
        hasher.combine(exposed)
    }
}

extension Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { shown }
    package var debugDescription: String { shown }
    /// A mirror without children, so that `dump` and the descriptions of outer values show nothing.
    package var customMirror: Mirror { Mirror(self, children: []) }
    /// What stands for it in JSON.
    package var json: JSON { .string(shown) }
}
