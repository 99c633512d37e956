/// How much a record matters, the most important first.
package enum LogLevel: String, CaseIterable, Sendable, Comparable {
    /// A person must act.
    case error
    /// Something works worse than it should, and is tried again.
    case warning
    /// The course of life: started, stopped, connected.
    case notice
    /// Rare, useful details.
    case info
    /// What a developer needs; off in production.
    case debug
    /// Every message and step; off in production.
    case trace

    /// 0 for `error` to 5 for `trace`.
    var rank: Int {
        switch self {
        case .error: 0
        case .warning: 1
        case .notice: 2
        case .info: 3
        case .debug: 4
        case .trace: 5
        }
    }

    /// The priority of syslog(3) and journald: 3 for an error to 7 for debug and trace.
    var syslogPriority: Int {
        switch self {
        case .error: 3
        case .warning: 4
        case .notice: 5
        case .info: 6
        case .debug, .trace: 7
        }
    }

    /// Orders by importance: `.trace < .error`.
    package static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rank > right.rank
    }
}
