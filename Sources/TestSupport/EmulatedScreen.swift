/// As much of a terminal as this project's programs use; each Unicode scalar takes one cell.
package struct EmulatedScreen {
    /// Where the cursor stands, from 0 on.
    package private(set) var cursor = (row: 0, column: 0)
    /// Whether the cursor is seen.
    package private(set) var showsCursor = true
    /// Whether a line that is too long goes on in the next row.
    package private(set) var wraps = true
    private var cells: [[Character]] = [[]]
    private let columns: Int
    private let rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// What is seen, without empty rows at the end.
    package var lines: [String] {
        var lines = cells.map { String($0) }
        while lines.last == "" { lines.removeLast() }
        return lines
    }

    /// Shows what a program writes.
    package mutating func take(_ text: String) {
        var scalars = Array(text.unicodeScalars)[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\r": cursor.column = 0
            case "\n": newLine()
            case "\u{1B}": control(&scalars)
            default: put(Character(scalar))
            }
        }
    }

    private mutating func put(_ character: Character) {
        if cursor.column >= columns {
            if wraps {
                cursor.column = 0
                newLine()
            } else {
                cursor.column = columns - 1
            }
        }
        while cells[cursor.row].count < cursor.column { cells[cursor.row].append(" ") }
        if cursor.column < cells[cursor.row].count {
            cells[cursor.row][cursor.column] = character
        } else {
            cells[cursor.row].append(character)
        }
        cursor.column += 1
    }

    private mutating func newLine() {
        cursor.row += 1
        if cursor.row == cells.count { cells.append([]) }
        guard cells.count > rows else { return }
        cells.removeFirst()
        cursor.row -= 1
    }

    private mutating func control(_ scalars: inout ArraySlice<Unicode.Scalar>) {
        var parameters = ""
        guard scalars.popFirst() == "[" else { return }
        while let scalar = scalars.popFirst() {
            guard ("@"..."~").contains(scalar) else {
                parameters.unicodeScalars.append(scalar)
                continue
            }
            let number = Int(parameters) ?? 1
            switch scalar {
            case "A": cursor.row = max(0, cursor.row - number)
            case "C": cursor.column = min(columns - 1, cursor.column + number)
            case "K": cells[cursor.row] = Array(cells[cursor.row].prefix(cursor.column))
            case "J": cells = Array(cells.prefix(cursor.row + 1))
            case "h", "l":
                if parameters == "?25" { showsCursor = scalar == "h" }
                if parameters == "?7" { wraps = scalar == "h" }
            default: break
            }
            return
        }
    }
}
