/// A position in a file; both numbers are counted from 1, columns in characters.
package struct Place: Hashable, Sendable, Comparable, CustomStringConvertible {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// `line:column`.
    package var description: String { "\(line):\(column)" }

    package static func < (one: Place, other: Place) -> Bool {
        (one.line, one.column) < (other.line, other.column)
    }
}
