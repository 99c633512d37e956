import Glibc

/// What is printed, with colour where a person looks at it.
struct Terminal: Sendable {
    /// Whether standard output takes colour: a terminal, `NO_COLOR` not set.
    let isColourful: Bool
    /// Whether to print JSON instead of words.
    let wantsJSON: Bool

    init(wantsJSON: Bool) {
        self.wantsJSON = wantsJSON
        isColourful = !wantsJSON && isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil && getenv("TERM") != nil
    }

    /// The colours that mean something.
    enum Tone: String {
        case good = "32"
        case warning = "33"
        case bad = "31"
        case faint = "2"
        case strong = "1"
    }

    func paint(_ text: String, _ tone: Tone) -> String {
        isColourful ? "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Prints a line at once, also into a pipe.
    func line(_ text: String = "") { write(text + "\n", to: STDOUT_FILENO) }

    /// Prints a text as it is, control sequences too.
    func put(_ text: String) { write(text, to: STDOUT_FILENO) }

    /// Prints a line to standard error.
    func complain(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

    /// Prints rows in columns that line up.
    func table(_ rows: [[String]], tones: [Int: (String) -> Tone?] = [:]) {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
        }
        for (number, row) in rows.enumerated() {
            let cells = row.enumerated().map { column, cell in
                let padding =
                    column == row.count - 1 ? "" : String(repeating: " ", count: widths[column] - cell.count + 2)
                if number == 0 { return paint(cell, .faint) + padding }
                guard let tone = tones[column]?(cell) else { return cell + padding }
                return paint(cell, tone) + padding
            }
            line(cells.joined())
        }
    }

    private func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            // A reader that went away (`lintel devices | head -1`) is not an error of ours.
            guard written > 0 else { return }
            bytes = bytes.dropFirst(written)
        }
    }
}
