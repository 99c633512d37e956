package import Log

/// What is logged, and how.
package struct LogSettings: Sendable, Equatable {
    /// How records look.
    package enum Format: String, Sendable, CaseIterable {
        /// The journal's form under systemd, colours on a terminal, else plain text.
        case automatic = "auto"
        case text
        case json
    }

    /// The level of all areas but those in ``areas``.
    package var level = LogLevel.notice
    package var format = Format.automatic
    /// Levels of areas and those below them: `plugin` counts for `plugin.acme`.
    package var areas: [String: LogLevel] = [:]

    package init() {}

    /// Reads the `log` section.
    init(_ section: inout SectionReader) {
        self.init()
        if let level = section.choice("level", LogLevel.self) { self.level = level }
        if let format = section.choice("format", Format.self) { self.format = format }
        let areas = section.section("areas")
        for member in areas.allMembers() {
            let path = areas.path.appending(member.key)
            let isName =
                !member.key.isEmpty
                && member.key.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                        UInt8(ascii: "."),
                        UInt8(ascii: "-"), UInt8(ascii: "_"):
                        true
                    default: false
                    }
                }
            guard isName else {
                areas.problems.add("an area has a-z, 0-9, dots and dashes only", at: path, member.keyPlace)
                continue
            }
            self.areas[member.key] = areas.choice(member.value, at: path, LogLevel.self)
        }
        section.finish()
    }
}
