/// Which levels are written, per area, for all logs of the process that share it; it may change at any time.
///
/// A level set for an area counts for the areas below it too: `plugin` for `plugin.acme`. Of several the longest counts.
package final class LogLevels: Sendable {
    private struct State: Sendable {
        var standard: LogLevel
        var rules: [String: LogLevel]
        var thresholds: [String: LogThreshold] = [:]

        func level(of area: String) -> LogLevel {
            var name = area[...]
            while true {
                if let level = rules[String(name)] { return level }
                guard let dot = name.lastIndex(of: ".") else { return standard }
                name = name[..<dot]
            }
        }

        func refresh() {
            for (area, threshold) in thresholds {
                threshold.level = level(of: area)
            }
        }
    }

    private let state: Guarded<State>

    /// Makes levels: one for all areas but those named.
    package init(_ standard: LogLevel = .notice, areas: [String: LogLevel] = [:]) {
        state = Guarded(State(standard: standard, rules: areas))
    }

    /// Changes the level of all areas that have none of their own.
    package func set(_ level: LogLevel) {
        state.withLock {
            $0.standard = level
            $0.refresh()
        }
    }

    /// Changes the level of an area and those below it; `nil` takes its own level away.
    package func set(_ level: LogLevel?, for area: String) {
        state.withLock {
            $0.rules[area] = level
            $0.refresh()
        }
    }

    /// The level that counts for an area: it and more important ones are written.
    package func level(of area: String) -> LogLevel {
        state.withLock { $0.level(of: area) }
    }

    /// The areas with a level of their own.
    package var areas: [String: LogLevel] {
        state.withLock { $0.rules }
    }

    /// The shared threshold of an area, which follows later changes.
    func threshold(of area: String) -> LogThreshold {
        state.withLock {
            if let threshold = $0.thresholds[area] { return threshold }
            let threshold = LogThreshold($0.level(of: area))
            $0.thresholds[area] = threshold
            return threshold
        }
    }
}
