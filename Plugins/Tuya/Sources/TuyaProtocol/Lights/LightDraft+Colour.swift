internal import JSON

extension LightDraft {
    /// Whether a colour has to wait until the lamp is switched on; a colour never switches it on.
    ///
    /// Saturation alone is sent whatever the switch says, as the vendor's app does, unless a colour waits already.
    func mustDefer(_ target: Target) -> Bool {
        guard target == .colour, !isOnAfter, let colour = change.colour else { return false }
        return !colour.isSaturationOnly || pendingColour != nil
    }

    mutating func deferColour() {
        guard let colour = change.colour else { return }
        let value = change.brightness.flatMap { $0.isZero ? nil : $0.fraction * 100 } ?? colour.value
        let isBright = change.brightness == nil || change.brightness == light.shownValue.map { .of255($0) }
        // What is there already needs no memory.
        if pendingColour == nil, light.isInColour, isBright, isShown(colour) { return }
        var pending = pendingColour ?? LightChange.Colour()
        pending.hue = colour.hue ?? pending.hue
        pending.saturation = colour.saturation ?? pending.saturation
        pending.value = value ?? pending.value
        pendingColour = pending
        plan.deferred.append(.colour)
    }

    /// Writes the colour if there is anything to say about it.
    mutating func writeColour() {
        guard let point = profile.colour else { return }
        let pending = isOnAfter ? pendingColour : nil
        guard change.colour != nil || change.brightness != nil || pending != nil else { return }
        plan.points[point.id] = .string(colourText(pending))
        if isOnAfter { pendingColour = nil }
    }

    /// The colour to send; the text that the device has already, if it means the same.
    private mutating func colourText(_ pending: LightChange.Colour?) -> String {
        let present = light.colour
        let hue = hue(pending, present)
        let colour = HSV(hue: hue, saturation: saturation(pending, present), value: value(pending, present))
        if let raw = light.colourRaw, colour == present, ColourEncoding(of: raw) != nil { return raw }
        return light.encoding.encode(colour)
    }

    private mutating func hue(_ pending: LightChange.Colour?, _ present: HSV?) -> Double {
        guard let hue = change.colour?.hue ?? pending?.hue else { return present?.hue ?? 0 }
        asked.hue = hue
        sentHue = hue
        if hue == light.shownColour?.hue, let present { return present.hue }
        return hue
    }

    private mutating func saturation(_ pending: LightChange.Colour?, _ present: HSV?) -> Double {
        guard let saturation = change.colour?.saturation ?? pending?.saturation else {
            // A hue without a saturation is meant to be seen; a brightness without a colour is white.
            return present?.saturation ?? (change.colour?.hue == nil ? 0 : 1)
        }
        asked.saturation = saturation
        if saturation == light.shownColour?.saturation, let present { return present.saturation }
        return saturation / 100
    }

    private mutating func value(_ pending: LightChange.Colour?, _ present: HSV?) -> Double {
        guard let level = change.brightness else {
            let value = (change.colour?.value ?? pending?.value).map { $0 / 100 } ?? present?.value ?? 0
            return value > 0 ? value : 1
        }
        if case .of255(let number) = level, number > 0 {
            asked.value = number
            if number == light.shownValue, let present, present.value > 0 { return present.value }
            return level.fraction
        }
        return max(level.fraction, 0.01)
    }
}
