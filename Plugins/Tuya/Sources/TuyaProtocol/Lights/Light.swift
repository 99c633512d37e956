internal import JSON

/// A light as it is known: what it reported, what was asked of it, and what waits until it is switched on.
///
/// Feed it reports with ``learn(_:)``, get messages from ``plan(_:)`` (in `Light+Plan.swift`), read ``state``.
///
/// What is shown is what was asked last if the device's raw value is the one that was sent for it, else what the raw
/// value means. And the other way round: what is asked for and shown already keeps the raw value. So a command is
/// confirmed by equality, and a state that is sent back unchanged changes nothing, although the scales differ.
///
/// Source: protocol description, sections 5.4 … 5.6.
package struct Light: Equatable, Sendable {
    /// Values as they were asked for, by channel.
    struct Asked: Equatable, Sendable {
        /// 0 … 255 of the white channel.
        var white: Int?
        /// 0 … 255 of the colour's value.
        var value: Int?
        var kelvin: Int?
        /// Degrees.
        var hue: Double?
        /// Percent.
        var saturation: Double?
    }

    /// What the lamp can do; lamps that are copies of one share it until one of them turns out to have more.
    package internal(set) var profile: LightProfile {
        get { shared.profile }
        set { shared = SharedProfile(newValue) }
    }
    private var shared: SharedProfile

    var isOn: Bool?
    var vendorMode: String?
    var whiteRaw: Int?
    var temperatureRaw: Int?
    /// The last readable colour, as it came.
    var colourRaw: String?
    /// ``colourRaw`` decoded.
    var colour: HSV?
    var sceneRaw: String?
    var countdown: Int?
    /// Degrees: what is shown, or what was asked for and is expected to be shown; a report that is one degree off is no
    /// change.
    var expectedHue: Double?
    /// Degrees.
    var shownHue: Double?

    var asked = Asked()
    /// A colour that was asked for while the lamp was off.
    package internal(set) var pendingColour: LightChange.Colour?

    /// - Parameter points: what is known, for example from before a restart.
    package init(profile: LightProfile, points: DataPoints = [:]) {
        shared = SharedProfile(profile)
        _ = learn(points)
    }

    /// Takes in reported values; unreadable ones change nothing.
    ///
    /// - Returns: a message to send: the colour that waited, when the lamp has been switched on by others.
    package mutating func learn(_ points: DataPoints) -> DataPoints? {
        let (wasOn, oldMode, oldColour) = (isOn, vendorMode, colourRaw)
        if profile.growsByReports {
            var grown = profile
            if grown.grow(with: points) { profile = grown }
        }
        for (id, value) in points { learn(id, value) }
        guard pendingColour != nil, isOn == true, wasOn != true else { return nil }
        guard vendorMode == oldMode, colourRaw == oldColour else {
            // Whoever switched it on has chosen another light.
            pendingColour = nil
            return nil
        }
        return try? plan(LightChange(mode: LightMode.color)).points
    }

    /// The message for a change that follows messages which are still on their way to the lamp.
    ///
    /// - Parameter sent: what those set; it counts for this message and is not shown.
    package mutating func plan(_ change: LightChange, assuming sent: DataPoints) throws(LightError) -> LightPlan {
        guard !sent.isEmpty else { return try plan(change) }
        var expected = self
        for (id, value) in sent { expected.learn(id, value) }
        let plan = try expected.plan(change)
        asked = expected.asked
        expectedHue = expected.expectedHue
        pendingColour = expected.pendingColour
        return plan
    }

    private mutating func learn(_ id: Int, _ value: JSON) {
        switch id {
        case profile.switchPoint: isOn = value.boolValue ?? isOn
        case profile.modePoint: vendorMode = value.stringValue ?? vendorMode
        case profile.brightness?.id: whiteRaw = value.intValue ?? whiteRaw
        case profile.temperaturePoint: temperatureRaw = value.intValue ?? temperatureRaw
        case profile.colour?.id: if let text = value.stringValue { learnColour(text) }
        case profile.scenePoint: sceneRaw = value.stringValue ?? sceneRaw
        case profile.countdown?.id: countdown = value.intValue ?? countdown
        default: break
        }
    }

    private mutating func learnColour(_ text: String) {
        guard let decoded = ColourEncoding.decode(text) else { return }
        colourRaw = text
        colour = decoded
        if let asked = asked.hue, HSV.distance(asked, decoded.hue) == 0 {
            expectedHue = asked
        } else if expectedHue.map({ HSV.distance($0, decoded.hue) > 1 }) ?? true {
            expectedHue = Double(decoded.roundedHue)
        }
        shownHue = expectedHue
    }

    /// The encoding to write colours in: the device's own, if it has shown it.
    var encoding: ColourEncoding {
        colourRaw.flatMap(ColourEncoding.init(of:)) ?? profile.colour?.encoding ?? .second
    }
}

// MARK: - What is shown

extension Light {
    /// Whether brightness is the colour's value: in colour mode, and on lamps without a white channel.
    var isInColour: Bool {
        guard profile.colour != nil else { return false }
        return vendorMode == LightMode.vendorColour || profile.brightness == nil
    }

    /// What the light shows.
    package var state: LightState {
        LightState(
            power: isOn,
            brightness: isInColour ? shownValue : shownWhite,
            mode: vendorMode.map { LightMode.name(vendor: $0) },
            temperature: shownKelvin,
            colour: shownColour,
            effect: shownEffect,
            countdown: countdown
        )
    }

    /// 1 … 255 of the white channel.
    var shownWhite: Int? {
        guard let raw = whiteRaw, let range = profile.brightness?.range else { return nil }
        if let asked = asked.white, Brightness.raw(LightLevel.of255(asked).fraction, in: range) == raw { return asked }
        return Brightness.level(raw, in: range)
    }

    /// 1 … 255 of the colour's value.
    var shownValue: Int? {
        guard let colour else { return nil }
        let steps = encoding.steps(colour.value)
        if let asked = asked.value, encoding.steps(LightLevel.of255(asked).fraction) == steps { return asked }
        return max(Rounding.nearest(colour.value * 255), 1)
    }

    var shownKelvin: Int? {
        guard let raw = temperatureRaw, profile.temperaturePoint != nil else { return nil }
        if let asked = asked.kelvin, profile.temperature.raw(kelvin: asked) == raw { return asked }
        return profile.temperature.kelvin(raw)
    }

    var shownColour: LightState.Colour? {
        guard let colour, let hue = shownHue else { return nil }
        var saturation = Double(Rounding.nearest(colour.saturation * 100))
        if let asked = asked.saturation, encoding.steps(asked / 100) == encoding.steps(colour.saturation) {
            saturation = asked
        }
        return LightState.Colour(hue: hue, saturation: saturation)
    }

    var shownEffect: String? {
        guard let mode = vendorMode, LightMode.name(vendor: mode) == LightMode.scene else { return nil }
        let number = sceneRaw.flatMap { LightScene($0)?.number }
        let match =
            profile.effects.first { $0.selection == .mode(mode) || sceneRaw.map { .data($0) } == $0.selection }
            ?? profile.effects.first {
                guard let number, case .data(let text) = $0.selection else { return false }
                return LightScene(text)?.number == number
            }
        return match?.name
    }

    /// Full brightness as 100, for the scale of the vendor's app.
    package var percent: Int? {
        if isInColour { return colour.map { Rounding.nearest($0.value * 100) } }
        guard let raw = whiteRaw, let range = profile.brightness?.range else { return nil }
        return Brightness.percent(raw, in: range)
    }

    /// 0 = warm, 1 = cold.
    package var temperatureFraction: Double? {
        guard profile.temperaturePoint != nil else { return nil }
        return temperatureRaw.map { profile.temperature.fraction($0) }
    }
}

/// A profile is a few hundred bytes, and a house full of lamps has a handful of kinds.
private final class SharedProfile: Equatable, Sendable {
    let profile: LightProfile

    init(_ profile: LightProfile) { self.profile = profile }

    static func == (one: SharedProfile, other: SharedProfile) -> Bool {
        one === other || one.profile == other.profile
    }
}
