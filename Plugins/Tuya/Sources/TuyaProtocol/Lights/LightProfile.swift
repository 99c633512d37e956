/// What a light can do, and in which data points.
package struct LightProfile: Equatable, Sendable {
    package var layout: LightLayout
    package var switchPoint: Int
    package var modePoint: Int?
    /// The vendor's modes that the lamp knows; empty: not told, assume those that the channels suggest.
    package var vendorModes: [String] = []
    package var brightness: NumberPoint?
    package var temperaturePoint: Int?
    /// Also set where ``temperaturePoint`` is not.
    package var temperature: ColourTemperature
    package var colour: ColourPoint?
    package var scenePoint: Int?
    /// Seconds until the lamp switches over.
    package var countdown: NumberPoint?
    package var musicPoint: Int?
    package var controlPoint: Int?
    package var effects: [LightEffect] = []
    /// Whether points of the layout count that show themselves later; not where a schema says what there is.
    package var growsByReports = false

    /// The profile of a kind of light in one of the usual layouts.
    ///
    /// - Parameter extraPoints: ids of the layout that lights of this kind need not have, but this one has.
    package init(layout: LightLayout, type: LightKind, extraPoints: [Int] = []) {
        self.layout = layout
        switchPoint = layout.switchPoint
        temperature = ColourTemperature(range: layout.temperature.range)
        var ids = Set(extraPoints)
        if type.hasWhite { ids.insert(layout.brightness.id) }
        if type.hasTemperature { ids.insert(layout.temperature.id) }
        if type.hasColour, let colour = layout.colour {
            ids.insert(colour.id)
            if let mode = layout.modePoint { ids.insert(mode) }
        }
        add(ids)
    }

    /// Takes up the layout's points that have shown themselves, if it is that kind of profile; some lamps keep quiet about
    /// a point until it is set.
    ///
    /// - Returns: whether there was something new.
    @discardableResult
    package mutating func grow(with points: DataPoints) -> Bool {
        guard growsByReports, points.contains(where: { isMissing($0.id) }) else { return false }
        let before = self
        add(Set(points.ids))
        return self != before
    }

    private func isMissing(_ id: Int) -> Bool {
        let known = [
            switchPoint, modePoint, brightness?.id, temperaturePoint, colour?.id, scenePoint, countdown?.id, musicPoint,
            controlPoint,
        ]
        return !known.contains(id)
    }

    private mutating func add(_ ids: Set<Int>) {
        if let mode = layout.modePoint, ids.contains(mode) { modePoint = modePoint ?? mode }
        if ids.contains(layout.brightness.id) { brightness = brightness ?? layout.brightness }
        if ids.contains(layout.temperature.id) { temperaturePoint = temperaturePoint ?? layout.temperature.id }
        if let colour = layout.colour, ids.contains(colour.id) { self.colour = self.colour ?? colour }
        if let scene = layout.scenePoint, ids.contains(scene) { scenePoint = scenePoint ?? scene }
        if let countdown = layout.countdown, ids.contains(countdown.id) { self.countdown = self.countdown ?? countdown }
        if let music = layout.musicPoint, ids.contains(music) { musicPoint = musicPoint ?? music }
        if let control = layout.controlPoint, ids.contains(control) { controlPoint = controlPoint ?? control }
        if effects.isEmpty, modePoint != nil {
            if scenePoint != nil {
                effects = LightEffect.standard
            } else if layout == .first {
                effects = sceneModes(among: Self.untoldScenes)
            }
        }
    }

    /// Which of the vendor's five kinds this is.
    package var type: LightKind {
        switch (colour != nil, brightness != nil, temperaturePoint != nil) {
        case (true, true, true): .colourAndTunableWhite
        case (true, true, false): .colourAndWhite
        case (true, false, _): .colour
        case (false, _, true): .tunableWhite
        case (false, _, false): .white
        }
    }

    /// Our names of the modes that can be asked for, without repeats; one only for a lamp without a mode point.
    package var modes: [String] {
        var names: [String] = []
        for vendor in effectiveVendorModes {
            let name = LightMode.name(vendor: vendor)
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// The vendor's modes, told or supposed.
    var effectiveVendorModes: [String] {
        guard modePoint != nil else { return [colour == nil ? LightMode.white : LightMode.vendorColour] }
        guard vendorModes.isEmpty else { return vendorModes }
        var modes: [String] = []
        if brightness != nil || temperaturePoint != nil { modes.append(LightMode.white) }
        if colour != nil { modes.append(LightMode.vendorColour) }
        modes += [LightMode.scene, LightMode.music]
        return modes
    }

    /// Whether a mode can be asked for, by our name or the vendor's.
    func knows(mode: String) -> Bool {
        let vendor = mode == LightMode.color ? LightMode.vendorColour : mode
        let known = effectiveVendorModes
        if known.contains(vendor) || modes.contains(mode) { return true }
        // Generation 1 has scene_1 … scene_4 without telling.
        return modePoint != nil && vendorModes.isEmpty && LightMode.name(vendor: vendor) == LightMode.scene
    }
}
