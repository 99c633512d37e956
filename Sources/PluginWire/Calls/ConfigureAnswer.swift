public import JSON

/// The result of `configure`.
public struct ConfigureAnswer: Sendable, Equatable {
    /// Whether the plugin must be restarted for some of it.
    public var needsRestart: Bool

    /// States what became of a change.
    public init(needsRestart: Bool) { self.needsRestart = needsRestart }

    /// `{"needsRestart"}`.
    public var json: JSON { ["needsRestart": .bool(needsRestart)] }

    /// Reads the form that ``json`` writes.
    public init(json: JSON) throws(WireFault) {
        guard let needsRestart = json["needsRestart"]?.boolValue else {
            throw .badResult("configure: \"needsRestart\" must be true or false")
        }
        self.init(needsRestart: needsRestart)
    }
}
