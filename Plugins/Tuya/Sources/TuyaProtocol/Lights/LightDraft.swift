internal import JSON

/// A message for a light while it is being put together.
///
/// Colour is in `LightDraft+Colour.swift`.
struct LightDraft {
    /// Which channel the message is for.
    enum Target: Equatable {
        /// The mode stays, nothing in the message depends on it.
        case unchanged
        case white
        case colour
        /// The vendor's name.
        case other(String)
    }

    let light: Light
    let change: LightChange

    var plan = LightPlan()
    var asked: Light.Asked
    var pendingColour: LightChange.Colour?
    /// A hue that is sent with this message because it was asked for.
    var sentHue: Double?

    var profile: LightProfile { light.profile }

    /// Whether the lamp is on once the message has done its work.
    var isOnAfter: Bool { change.power ?? (change.brightness != nil || light.isOn == true) }

    init(light: Light, change: LightChange) {
        self.light = light
        self.change = change
        asked = light.asked
        pendingColour = light.pendingColour
    }

    mutating func write() throws(LightError) {
        if let level = change.brightness, level.isZero, change.power != true {
            switchOffOnly()
            return
        }
        let target = try target()
        if let countdown = change.countdown, let point = profile.countdown {
            plan.points[point.id] = JSON(point.range.snapped(countdown))
        }
        let brightnessSwitchesOn: Bool
        if mustDefer(target) {
            deferColour()
            noteIgnored(.colour)
            brightnessSwitchesOn = false
        } else {
            // The mode first: some lamps take the points of a message one after the other.
            writeMode(target)
            switch target {
            case .colour: writeColour()
            case .white, .unchanged:
                writeTemperature()
                writeBrightness()
            case .other: writeEffect()
            }
            noteIgnored(target)
            brightnessSwitchesOn = change.brightness != nil && target.hasBrightness
        }
        if let power = change.power ?? (brightnessSwitchesOn ? true : nil) {
            plan.points[profile.switchPoint] = .bool(power)
        }
    }

    /// Brightness 0: the switch, and nothing else.
    private mutating func switchOffOnly() {
        plan.points[profile.switchPoint] = false
        if change.colour != nil { deferColour() }
        if change.temperature != nil { plan.ignored.append(.temperature) }
        if change.mode != nil, change.mode != light.state.mode { plan.ignored.append(.mode) }
        if change.effect != nil { plan.ignored.append(.effect) }
        if change.countdown != nil { plan.ignored.append(.countdown) }
    }
}

// MARK: - Which mode

extension LightDraft {
    /// The mode asked for, else that of what is asked for.
    private mutating func target() throws(LightError) -> Target {
        let target = try chosenTarget()
        switch target {
        case .colour, .unchanged: break
        // Whoever asks for white or a scene does not want the colour any more that waits.
        case .white where change.mode == nil && change.temperature == nil: break
        case .white, .other: pendingColour = nil
        }
        return target
    }

    private func chosenTarget() throws(LightError) -> Target {
        if let mode = change.mode { return self.target(named: mode) }
        if let effect = change.effect { return .other(try sceneMode(of: effect)) }
        if change.colour != nil { return .colour }
        if change.temperature != nil { return .white }
        if pendingColour != nil, isOnAfter { return .colour }
        if change.brightness != nil { return light.isInColour ? .colour : .white }
        return .unchanged
    }

    private func target(named mode: String) -> Target {
        switch mode {
        case LightMode.white: return .white
        case LightMode.color, LightMode.vendorColour: return .colour
        default:
            let known = profile.effectiveVendorModes
            if mode != LightMode.scene, known.contains(mode) { return .other(mode) }
            // The lamp's present mode, if it goes by that name, so that sending a state back changes nothing.
            if let present = light.vendorMode, LightMode.name(vendor: present) == mode { return .other(present) }
            let candidates = known.filter { LightMode.name(vendor: $0) == mode }
            return .other(candidates.first { $0 == mode } ?? candidates.first ?? mode)
        }
    }

    private func sceneMode(of effect: String) throws(LightError) -> String {
        guard let selection = profile.effects.first(where: { $0.name == effect })?.selection else {
            throw .unknownValue(.effect, effect)
        }
        switch selection {
        case .mode(let mode): return mode
        case .data:
            if case .other(let mode) = target(named: LightMode.scene) { return mode }
            return LightMode.scene
        }
    }

    private mutating func writeMode(_ target: Target) {
        guard let point = profile.modePoint else { return }
        switch target {
        case .unchanged: break
        case .white: plan.points[point] = .string(LightMode.white)
        case .colour: plan.points[point] = .string(LightMode.vendorColour)
        case .other(let mode): plan.points[point] = .string(mode)
        }
    }

    /// Names what is asked for, means nothing for the target and is not so already.
    private mutating func noteIgnored(_ target: Target) {
        if target != .white, target != .unchanged, let temperature = change.temperature,
            temperature != light.shownKelvin.map({ .kelvin($0) })
        {
            plan.ignored.append(.temperature)
        }
        if target != .colour, let colour = change.colour, !plan.deferred.contains(.colour), !isShown(colour) {
            plan.ignored.append(.colour)
        }
        if !target.hasBrightness, let level = change.brightness,
            level != light.state.brightness.map({ .of255($0) })
        {
            plan.ignored.append(.brightness)
        }
        if let effect = change.effect, effect != light.shownEffect {
            if case .other = target { return }
            plan.ignored.append(.effect)
        }
    }

    /// Whether a colour is what is shown already.
    func isShown(_ colour: LightChange.Colour) -> Bool {
        guard let shown = light.shownColour, colour.value == nil else { return false }
        return colour.hue ?? shown.hue == shown.hue && colour.saturation ?? shown.saturation == shown.saturation
    }
}

extension LightDraft.Target {
    /// Whether brightness means something.
    fileprivate var hasBrightness: Bool {
        if case .other = self { false } else { true }
    }
}

// MARK: - White and scenes

extension LightDraft {
    private mutating func writeTemperature() {
        guard let temperature = change.temperature, let point = profile.temperaturePoint else { return }
        switch temperature {
        case .fraction(let fraction):
            plan.points[point] = JSON(profile.temperature.raw(fraction: fraction))
        case .kelvin(let kelvin):
            var raw = profile.temperature.raw(kelvin: kelvin)
            if kelvin == light.shownKelvin, let present = light.temperatureRaw {
                raw = clamped(present, profile.temperature.range)
            }
            plan.points[point] = JSON(raw)
            asked.kelvin = kelvin
        }
    }

    private mutating func writeBrightness() {
        guard let level = change.brightness, let point = profile.brightness else { return }
        var raw = Brightness.raw(level.fraction, in: point.range)
        if case .of255(let number) = level, number > 0 {
            if number == light.shownWhite, let present = light.whiteRaw { raw = clamped(present, point.range) }
            asked.white = number
        }
        plan.points[point.id] = JSON(raw)
    }

    private func clamped(_ raw: Int, _ range: ValueRange) -> Int { min(max(raw, range.minimum), range.maximum) }

    private mutating func writeEffect() {
        guard let name = change.effect, let effect = profile.effects.first(where: { $0.name == name }) else { return }
        switch effect.selection {
        case .mode(let mode): if let point = profile.modePoint { plan.points[point] = .string(mode) }
        case .data(let text):
            guard let point = profile.scenePoint else { return }
            let present = name == light.shownEffect ? light.sceneRaw : nil
            plan.points[point] = .string(present ?? text)
        }
    }
}
