import TestSupport
import Testing

@testable import lintel

@Suite("Lines that are drawn in place")
struct LiveRegionTests {
    @Test("take the place of those before, and clear what was below")
    func redraw() {
        var screen = EmulatedScreen(columns: 20, rows: 10)
        var region = LiveRegion()
        screen.take("$ lintel pair\r\n")
        screen.take(region.draw(["one", "two", "three"], cursor: nil, columns: 20))
        #expect(screen.lines == ["$ lintel pair", "one", "two", "three"])
        screen.take(region.draw(["uno", "due"], cursor: nil, columns: 20))
        #expect(screen.lines == ["$ lintel pair", "uno", "due"])
        #expect(!screen.showsCursor)
        screen.take(region.finish() + "$ ")
        #expect(screen.lines == ["$ lintel pair", "uno", "due", "$ "])
        #expect(screen.showsCursor && screen.wraps)
    }

    @Test("put the cursor where is typed")
    func cursor() {
        var screen = EmulatedScreen(columns: 20, rows: 10)
        var region = LiveRegion()
        screen.take(region.draw(["question", "Name: ab"], cursor: 8, columns: 20))
        #expect(screen.cursor == (row: 1, column: 8))
        #expect(screen.showsCursor)
        screen.take(region.draw(["question", "Name: a"], cursor: 7, columns: 20))
        #expect(screen.lines == ["question", "Name: a"])
        #expect(screen.cursor == (row: 1, column: 7))
    }

    @Test("stay one row each where a terminal thinks a character wider than we do")
    func wide() {
        var screen = EmulatedScreen(columns: 8, rows: 10)
        var region = LiveRegion()
        for _ in 0..<3 { screen.take(region.draw(["much too long for it", "end"], cursor: nil, columns: 8)) }
        #expect(screen.lines == ["much tot", "end"])
    }

    @Test("scroll with the terminal at its last row")
    func scrolling() {
        var screen = EmulatedScreen(columns: 20, rows: 4)
        var region = LiveRegion()
        screen.take("a\r\nb\r\nc\r\n")
        screen.take(region.draw(["1", "2"], cursor: nil, columns: 20))
        screen.take(region.draw(["3", "4"], cursor: nil, columns: 20))
        #expect(screen.lines == ["b", "c", "3", "4"])
    }

    @Test("are found again after the terminal became narrower and wrapped them")
    func narrower() {
        var region = LiveRegion()
        _ = region.draw([String(repeating: "x", count: 30), "y"], cursor: nil, columns: 40)
        let text = region.draw(["z"], cursor: nil, columns: 20)
        // Thirty cells are two rows of twenty: three rows in all.
        #expect(text.contains("\u{1B}[2A"))
    }

    @Test("colours take no cells")
    func colours() {
        #expect(LiveRegion.plain("\u{1B}[32m✓\u{1B}[0m done") == "✓ done")
    }
}
