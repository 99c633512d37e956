internal import JSON

extension Light {
    /// The message for a change; remembers what was asked.
    ///
    /// On a copy it can be tried without consequences:
    /// ```
    /// var next = light
    /// let plan = try next.plan(change)
    /// // … when it is sent:
    /// light = next
    /// ```
    /// Source: protocol description, section 5.5.
    package mutating func plan(_ change: LightChange) throws(LightError) -> LightPlan {
        try checkChannels(change)
        var draft = LightDraft(light: self, change: change.clamped(kelvin: profile.temperature.kelvin))
        try draft.write()
        asked = draft.asked
        expectedHue = draft.sentHue ?? expectedHue
        pendingColour = draft.pendingColour
        return draft.plan
    }

    private func checkChannels(_ change: LightChange) throws(LightError) {
        if change.brightness != nil, profile.brightness == nil, profile.colour == nil {
            throw .unsupported(.brightness)
        }
        if change.temperature != nil, profile.temperaturePoint == nil { throw .unsupported(.temperature) }
        if change.colour != nil, profile.colour == nil { throw .unsupported(.colour) }
        if change.countdown != nil, profile.countdown == nil { throw .unsupported(.countdown) }
        if let effect = change.effect {
            guard profile.modePoint != nil, !profile.effects.isEmpty else { throw .unsupported(.effect) }
            guard profile.effects.contains(where: { $0.name == effect }) else { throw .unknownValue(.effect, effect) }
        }
        if let mode = change.mode {
            guard profile.knows(mode: mode) else {
                throw profile.modePoint == nil ? .unsupported(.mode) : .unknownValue(.mode, mode)
            }
        }
    }
}
