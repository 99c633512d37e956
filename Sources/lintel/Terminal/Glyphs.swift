/// The signs of a screen, for terminals that show Unicode and for those that do not.
struct Glyphs: Equatable, Sendable {
    var done: String
    var failed: String
    var todo: String
    var running: [String]
    var full: String
    var empty: String
    var hidden: String

    static let unicode = Glyphs(
        done: "✓",
        failed: "✗",
        todo: "·",
        running: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
        full: "█",
        empty: "░",
        hidden: "•"
    )
    static let ascii = Glyphs(
        done: "+",
        failed: "x",
        todo: ".",
        running: ["|", "/", "-", "\\"],
        full: "#",
        empty: ".",
        hidden: "*"
    )

    /// The signs for a locale: Unicode unless it names another encoding; nothing said is taken for a terminal of today.
    static func suitable(for environment: [String: String]) -> Glyphs {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        guard let locale = locale?.lowercased() else { return .unicode }
        return locale.contains("utf-8") || locale.contains("utf8") ? .unicode : .ascii
    }
}
