/// Text as it lies on a terminal: each character takes none, one or two cells.
enum Cells {
    /// The cells that a text takes.
    static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

    /// The cells that a character takes; two for East Asian and for emoji, none for what joins the one before.
    ///
    /// Source: Unicode Standard Annex 11 (East Asian Width) and Technical Standard 51 (emoji presentation).
    static func width(_ character: Character) -> Int {
        var width = 0
        for scalar in character.unicodeScalars {
            // A selector turns a text symbol into an emoji.
            if scalar.value == 0xFE0F, width == 1 { return 2 }
            width = max(width, self.width(scalar))
        }
        // Two regional indicators are one flag.
        let isFlag = character.unicodeScalars.count == 2 && character.unicodeScalars.allSatisfy(isRegional)
        return isFlag ? 2 : width
    }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) ? 0 : 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        // The medial vowels and final consonants of Hangul join the letter before.
        if (0x1160...0x11FF).contains(scalar.value) { return 0 }
        return scalar.properties.isEmojiPresentation && !isRegional(scalar) || isWide(scalar.value) ? 2 : 1
    }

    private static func isRegional(_ scalar: Unicode.Scalar) -> Bool { (0x1F1E6...0x1F1FF).contains(scalar.value) }

    private static func isWide(_ value: UInt32) -> Bool {
        wide.contains { $0.contains(value) }
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]

    /// The same text with nothing in it that could command a terminal or turn the order of letters around.
    ///
    /// Control characters become their pictures, others of the kind a replacement character; a character of more than
    /// eight scalars is cut, so that nothing is piled up over the lines above.
    static func clean(_ text: String) -> String {
        var clean = ""
        for character in text {
            var scalars = String.UnicodeScalarView()
            for scalar in character.unicodeScalars.prefix(8) { scalars.append(harmless(scalar)) }
            clean += String(scalars)
        }
        return clean
    }

    /// The lines of a text, each ``clean(_:)``.
    static func lines(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { clean(String($0)) }
    }

    private static func harmless(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
        case 0x7F: "\u{2421}"
        case 0x80..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB:
            "\u{FFFD}"
        default: scalar
        }
    }

    /// The beginning of a text that fits, with `…` where something is missing.
    static func fit(_ text: String, _ cells: Int) -> String {
        guard width(text) > cells else { return text }
        var fitting = ""
        var used = 0
        for character in text {
            let width = width(character)
            guard used + width <= cells - 1 else { break }
            fitting.append(character)
            used += width
        }
        return cells > 0 ? fitting + "…" : ""
    }

    /// The end of a text that fits, with `…` where something is missing.
    static func fitEnd(_ text: String, _ cells: Int) -> String {
        guard width(text) > cells else { return text }
        return String(fit(String(text.reversed()), cells).reversed())
    }

    /// A text in lines of at most so many cells, broken at blanks where there are any.
    static func wrap(_ text: String, _ cells: Int) -> [String] {
        let cells = max(2, cells)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: true) {
            var word = String(word)
            if !line.isEmpty, width(line) + 1 + width(word) > cells {
                lines.append(line)
                line = ""
            }
            while width(word) > cells {
                let head = head(of: word, cells)
                lines.append(head)
                word.removeFirst(head.count)
            }
            line += line.isEmpty ? word : " " + word
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }

    private static func head(of word: String, _ cells: Int) -> String {
        var head = ""
        var used = 0
        for character in word {
            used += width(character)
            guard used <= cells || head.isEmpty else { break }
            head.append(character)
        }
        return head
    }

    /// A text filled up with blanks to so many cells.
    static func padded(_ text: String, _ cells: Int) -> String {
        text + String(repeating: " ", count: max(0, cells - width(text)))
    }
}
