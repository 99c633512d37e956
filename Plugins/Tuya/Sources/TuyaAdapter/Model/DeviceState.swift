package import EventLoop
package import HomeModel
package import JSON
package import TuyaProtocol

/// What is known of a device: its data points, and what they mean.
///
/// Reports go in by ``take(_:at:)``, which tells what has changed in the gateway's vocabulary; commands are turned into
/// data points by ``plan(_:assuming:)``.
package struct DeviceState {
    package private(set) var points = DataPointState()
    package private(set) var light: Light?
    package private(set) var model: ProductModel

    /// Everything is told with the next report, not only what changed.
    private var tellsAll = true
    /// Properties that were set and not spoken of since; they are told even if they are what they were.
    private var awaited: [String] = []
    private var recent = RecentSets()
    /// The lamp was switched off by asking for brightness 0, which is shown as asked.
    private var isDimmedToOff = false

    package init(model: ProductModel) {
        self.model = model
        // A copy, which shares its profile with all lamps of its kind.
        light = model.lamp
    }

    /// What a report did.
    package struct Update {
        /// Properties to tell.
        package var state = JSONObject()
        /// Data points without a description that have shown themselves.
        package var unknown: [Int: SeenType] = [:]
        /// A message to send: the colour that waited for the lamp to be switched on.
        package var followUp: DataPoints?
        /// When to ask the device whether a value that looks late is true after all.
        package var askAt: MonotonicTime?
        /// Whether what the lamp is known to have has grown.
        package var hasGrown = false
    }

    // MARK: Reports

    /// Takes in a report.
    package mutating func take(_ report: StatusReport, at now: MonotonicTime) -> Update {
        var update = Update()
        var report = report
        if !recent.isEmpty { update.askAt = recent.sift(&report, at: now) }
        let merge = points.merge(report)
        guard !merge.accepted.isEmpty else { return update }
        noteUnknown(merge.changed, &update)
        let shown = self.shown
        learn(merge.accepted, &update)
        if tellsAll {
            update.state = takeWhole()
            return update
        }
        if let after = self.shown { LightProperties.write(after, since: shown, into: &update.state) }
        for (id, value) in merge.changed { binding(id)?.read(value, into: &update.state) }
        if !awaited.isEmpty { tellAwaited(merge.accepted, &update.state) }
        return update
    }

    private mutating func learn(_ accepted: DataPoints, _ update: inout Update) {
        guard light != nil else { return }
        let before = light?.profile
        update.followUp = light?.learn(accepted)
        update.hasGrown = light?.profile != before
        if light?.state.power == true { isDimmedToOff = false }
    }

    private func noteUnknown(_ changed: DataPoints, _ update: inout Update) {
        for (id, value) in changed where binding(id) == nil && light?.profile.pointIDs.contains(id) != true {
            update.unknown[id] = SeenType(value)
        }
    }

    private mutating func tellAwaited(_ accepted: DataPoints, _ state: inout JSONObject) {
        let ids = accepted.ids
        var left: [String] = []
        for name in awaited where state[name] == nil {
            if pointIDs(of: name).contains(where: ids.contains) { tell(name, into: &state) } else { left.append(name) }
        }
        awaited = left
    }

    private func tell(_ name: String, into state: inout JSONObject) {
        if let binding = binding(named: name) {
            if let raw = points[binding.point.id] { binding.read(raw, into: &state) }
        } else if let shown {
            LightProperties.write(shown, only: name, into: &state)
        }
    }

    /// Everything that is known, to be told now.
    package mutating func takeWhole() -> JSONObject {
        tellsAll = false
        awaited = []
        return whole
    }

    /// Everything that is known, in the gateway's vocabulary.
    package var whole: JSONObject {
        var state = JSONObject()
        if let shown { LightProperties.write(shown, since: nil, into: &state) }
        for binding in model.bindings {
            if let raw = points[binding.point.id] { binding.read(raw, into: &state) }
        }
        return state
    }

    /// What the lamp shows, and of what waits for the next switch-on, what it will show.
    private var shown: LightState? {
        guard let light else { return nil }
        var state = light.state
        if let pending = light.pendingColour {
            let present = state.colour
            state.colour = LightState.Colour(
                hue: pending.hue ?? present?.hue ?? 0,
                saturation: pending.saturation ?? present?.saturation ?? 100
            )
        }
        if isDimmedToOff { state.brightness = 0 }
        return state
    }

    /// The connection is lost: values are old until they are told again, and then all of them are.
    package mutating func becomeStale() {
        points.markStale()
        tellsAll = true
        awaited = []
        recent = RecentSets()
    }

    /// Takes another model of the product, since more of it is known.
    package mutating func adopt(_ model: ProductModel) {
        self.model = model
        guard light?.profile != model.lamp?.profile else { return }
        light = model.lamp
        _ = light?.learn(points.points)
        tellsAll = true
    }

    /// What the description says of the device's properties.
    package var properties: [PropertyDescription] {
        (light.map { LightProperties.descriptions($0.profile) } ?? []) + model.bindings.flatMap(\.descriptions)
    }

    // MARK: Commands

    /// What to send for a command, and what follows from it.
    package struct Plan {
        /// Data points to set, in one message; empty: nothing is sent.
        package var points = DataPoints()
        /// What goes out before the rest.
        package var firstPart: DataPoints?
        package var isRepeatable = true
        /// Points whose report is expected.
        package var reported: [Int] = []
        /// Properties that change without the device: what waits for the next switch-on.
        package var state = JSONObject()
        /// What was asked for is not what will be shown, so that only a report tells when it is done.
        package var waitsForReport = false
    }

    /// Turns a command into data points, and remembers what was asked.
    ///
    /// - Parameter open: what is on its way to the device already.
    /// - Throws: `property_unknown`, `read_only`, `capability_missing`, `value_out_of_range`, `bad_request`.
    package mutating func plan(
        _ values: JSONObject,
        assuming open: DataPoints,
        splits: Bool,
        until: MonotonicTime
    ) throws(CommandError) -> Plan {
        var plan = Plan()
        try planPoints(values, &plan)
        if light != nil, let change = try LightProperties.change(values) { try planLight(change, open, splits, &plan) }
        plan.isRepeatable = !plan.points.ids.contains(where: model.pulses.contains)
        plan.reported = plan.points.ids.filter { !model.sendOnly.contains($0) }
        for (id, new) in plan.points {
            if let old = points[id] { recent.note(id, from: old, to: new, until: until) }
        }
        if let firstPart = plan.firstPart { for id in firstPart.ids { plan.points[id] = nil } }
        // What is told at once needs no report; everything else is told once the device has spoken of it.
        for name in values.keys where plan.state[name] == nil && !awaited.contains(name) { awaited.append(name) }
        return plan
    }

    private func planPoints(_ values: JSONObject, _ plan: inout Plan) throws(CommandError) {
        for (name, value) in values {
            if light != nil, LightProperties.names.contains(name) { continue }
            guard let binding = binding(named: name) else {
                throw CommandError(.propertyUnknown, "The device has no property \"\(name.prefix(64))\".")
            }
            plan.points[binding.point.id] = try binding.raw(value)
        }
    }

    private mutating func planLight(
        _ change: LightChange,
        _ open: DataPoints,
        _ splits: Bool,
        _ plan: inout Plan
    ) throws(CommandError) {
        let lightPlan: LightPlan?
        do throws(LightError) {
            lightPlan = try light?.plan(change, assuming: open)
        } catch { throw LightProperties.error(error) }
        guard let lightPlan, let light else { return }
        for (id, value) in lightPlan.points { plan.points[id] = value }
        if splits, let mode = light.profile.modePoint, let value = lightPlan.points[mode], lightPlan.points.count > 1 {
            plan.firstPart = [mode: value]
        }
        let isNone = change.brightness?.isNone == true
        if isNone, change.power != true { isDimmedToOff = true }
        plan.waitsForReport = !lightPlan.ignored.isEmpty || isNone && change.power == true
        guard lightPlan.deferred.contains(.colour), let after = shown else { return }
        LightProperties.write(after, only: LightProperty.colour.rawValue, into: &plan.state)
    }

    // MARK: Names

    private func binding(_ id: Int) -> PointBinding? { model.bindings.first { $0.point.id == id } }

    private func binding(named name: String) -> PointBinding? { model.bindings.first { $0.name == name } }

    /// The data points that a property hangs on.
    private func pointIDs(of name: String) -> [Int] {
        if let binding = binding(named: name) { return [binding.point.id] }
        guard let profile = light?.profile, let property = LightProperty(rawValue: name) else { return [] }
        let ids: [Int?] =
            switch property {
            case .power: [profile.switchPoint]
            case .brightness: [profile.brightness?.id, profile.colour?.id, profile.switchPoint]
            case .mode: [profile.modePoint]
            case .temperature: [profile.temperaturePoint]
            case .colour: [profile.colour?.id]
            case .effect: [profile.scenePoint, profile.modePoint]
            case .countdown: [profile.countdown?.id]
            }
        return ids.compactMap { $0 }
    }
}

extension LightLevel {
    /// Whether it asks for darkness.
    fileprivate var isNone: Bool {
        switch self {
        case .of255(let level): level <= 0
        case .percent(let percent): percent <= 0
        }
    }
}
