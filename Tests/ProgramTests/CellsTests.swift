import Testing

@testable import lintel

@Suite("Text on a terminal")
struct CellsTests {
    @Test(
        "takes as many cells as terminals give it",
        arguments: [
            ("", 0), ("home", 4), ("Küche", 5), ("e\u{301}", 1), ("日本", 4), ("한글", 4), ("👍", 2), ("❤️", 2),
            ("🇩🇪", 2), ("👨‍👩‍👧", 2), ("ｈ", 2), ("\u{200B}", 0), ("a\u{7}b", 2),
        ]
    )
    func width(text: String, cells: Int) {
        #expect(Cells.width(text) == cells)
    }

    @Test(
        "cannot command the terminal",
        arguments: [
            ("\u{1B}[2J", "␛[2J"), ("a\nb\rc\td", "a␊b␍c␉d"), ("\u{7F}", "␡"), ("x\u{9B}31m", "x\u{FFFD}31m"),
            ("abc\u{202E}cba", "abc\u{FFFD}cba"), ("\u{2028}", "\u{FFFD}"), ("Café 👍", "Café 👍"),
        ]
    )
    func clean(text: String, clean: String) {
        #expect(Cells.clean(text) == clean)
    }

    @Test("cannot pile marks up over other lines")
    func piles() {
        let piled = "e" + String(repeating: "\u{301}", count: 100)
        #expect(Cells.clean(piled).unicodeScalars.count == 8)
    }

    @Test("is cut to what fits, never in the middle of a wide character")
    func fit() {
        #expect(Cells.fit("living room", 11) == "living room")
        #expect(Cells.fit("living room", 8) == "living …")
        #expect(Cells.fit("日本語", 4) == "日…")
        #expect(Cells.fitEnd("living room", 5) == "…room")
        #expect(Cells.fit("x", 0) == "")
        for cells in 1...12 { #expect(Cells.width(Cells.fit("👍日a👍日a", cells)) <= cells) }
    }

    @Test("keeps its lines where each may be shown")
    func lines() {
        #expect(Cells.lines("1 to add.\nadd Lamp\u{1B}[2J\r\n") == ["1 to add.", "add Lamp␛[2J"])
    }

    @Test("is wrapped at blanks, and long words are broken")
    func wrap() {
        #expect(Cells.wrap("the device joins the Wi-Fi", 12) == ["the device", "joins the", "Wi-Fi"])
        #expect(Cells.wrap("abcdefgh", 3) == ["abc", "def", "gh"])
        #expect(Cells.wrap("", 10) == [])
        #expect(Cells.wrap("日本語", 3) == ["日", "本", "語"])
    }
}
