/// Lines at the end of a terminal that are drawn again in place.
///
/// While it draws, lines are not wrapped by the terminal, so that each is one row even where a terminal thinks a
/// character wider than we do; what a resized terminal has wrapped since is counted.
struct LiveRegion: Equatable, Sendable {
    /// The widths of the lines that are on the screen.
    private var widths: [Int] = []
    private var columns = 0

    /// Whether anything is drawn.
    var isDrawn: Bool { !widths.isEmpty }

    /// The control sequences that put these lines in the place of those before.
    ///
    /// - Parameters:
    ///   - lines: may hold colours; no other control sequences.
    ///   - cursor: the cells before the cursor on the last line; nil hides it.
    mutating func draw(_ lines: [String], cursor: Int?, columns: Int) -> String {
        var text = "\u{1B}[?25l\u{1B}[?7l" + back(columns)
        for (number, line) in lines.enumerated() { text += "\(number > 0 ? "\r\n" : "")\(line)\u{1B}[K" }
        text += "\u{1B}[J\u{1B}[?7h"
        if let cursor { text += "\r\(cursor > 0 ? "\u{1B}[\(cursor)C" : "")\u{1B}[?25h" }
        widths = lines.map { Cells.width(Self.plain($0)) }
        self.columns = columns
        return text
    }

    /// Leaves the lines where they are and goes on below them, with the cursor shown.
    mutating func finish() -> String {
        defer { widths = [] }
        return isDrawn ? "\r\n\u{1B}[?25h" : ""
    }

    /// Back to the first cell of the region.
    private func back(_ columns: Int) -> String {
        guard isDrawn else { return "\r" }
        let rows = widths.reduce(0) { rows, width in
            // A terminal that has become narrower may have wrapped them.
            rows + (columns < self.columns ? max(1, (min(width, self.columns) + columns - 1) / max(1, columns)) : 1)
        }
        return rows > 1 ? "\r\u{1B}[\(rows - 1)A" : "\r"
    }

    /// A line without its colours.
    static func plain(_ line: String) -> String {
        var plain = ""
        var isInside = false
        for scalar in line.unicodeScalars {
            if scalar == "\u{1B}" {
                isInside = true
            } else if isInside {
                isInside = !("@"..."~").contains(scalar) || scalar == "["
            } else {
                plain.unicodeScalars.append(scalar)
            }
        }
        return plain
    }
}
