/// The way to a value: `plugins.acme.devices[0].local_key`.
package struct ConfigPath: Hashable, Sendable, CustomStringConvertible {
    /// One step.
    package enum Step: Hashable, Sendable {
        case key(String)
        case index(Int)
    }

    package private(set) var steps: [Step]

    package init(_ steps: [Step] = []) { self.steps = steps }

    /// Reads the form that ``description`` writes; also `/devices/0/local_key`.
    package init(parsing text: String) {
        let separators: Set<Character> = text.hasPrefix("/") ? ["/"] : [".", "[", "]"]
        steps = text.split(whereSeparator: separators.contains).map { part in
            Int(part).map { .index($0) } ?? .key(String(part))
        }
    }

    package func appending(_ key: String) -> ConfigPath { ConfigPath(steps + [.key(key)]) }
    package func appending(_ index: Int) -> ConfigPath { ConfigPath(steps + [.index(index)]) }

    /// Keys joined by dots, indices in brackets; empty for the whole file.
    package var description: String {
        var text = ""
        for step in steps {
            switch step {
            case .key(let key): text += text.isEmpty ? key : ".\(key)"
            case .index(let index): text += "[\(index)]"
            }
        }
        return text
    }
}
