/// How a record becomes a line.
package enum LogFormat: Sendable, Equatable {
    /// `2026-11-30T10:15:02.123Z notice hub: plugin restarted plugin=acme attempt=2`
    case text
    /// The same with colours, for a terminal.
    case colouredText
    /// `<5>hub: plugin restarted plugin=acme attempt=2`, without the time, which journald adds: sd-daemon(3).
    case journal
    /// An object with `time`, `level`, `area`, `message` and, where there is any, `metadata`.
    case json
}
