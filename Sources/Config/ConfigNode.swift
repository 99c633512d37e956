internal import JSON

/// A value as it was written, with where it stands.
package struct ConfigNode: Sendable, Equatable {
    package enum Content: Sendable, Equatable {
        case scalar(Scalar)
        case list([ConfigNode])
        case mapping([Member])
    }

    /// A single value; what it means depends on what is wanted.
    package struct Scalar: Sendable, Equatable {
        /// The characters, without quotes.
        package var text: String
        /// Whether it stood without quotes, so that it may be a number, `true`, `false` or nothing.
        package var isPlain: Bool
    }

    /// A key with its value.
    package struct Member: Sendable, Equatable {
        package var key: String
        package var keyPlace: Place?
        package var value: ConfigNode
    }

    package var content: Content
    /// Nil where it does not come from a file.
    package var place: Place?

    init(_ content: Content, at place: Place?) {
        self.content = content
        self.place = place
    }

    /// The value of a key; nil also where this is no mapping.
    package subscript(key: String) -> ConfigNode? {
        guard case .mapping(let members) = content else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// The node at a path, or the nearest one above it that is there.
    package func nearest(to path: ConfigPath) -> ConfigNode {
        var node = self
        for step in path.steps {
            switch (step, node.content) {
            case (.key(let key), .mapping):
                guard let next = node[key] else { return node }
                node = next
            case (.index(let index), .list(let items)) where items.indices.contains(index):
                node = items[index]
            default: return node
            }
        }
        return node
    }

    /// Whether nothing stands there: an empty value, `~` or `null`.
    var isNull: Bool {
        if case .scalar(let scalar) = content { return scalar.value == .null }
        return false
    }

    /// What was written, for messages; never its characters.
    var kindName: String {
        switch content {
        case .list: "a list"
        case .mapping: "a group of keys"
        case .scalar(let scalar):
            switch scalar.value {
            case .null: "nothing"
            case .bool: "true or false"
            case .integer, .unsigned: "a number"
            case .double: "a fractional number"
            default: "text"
            }
        }
    }
}
