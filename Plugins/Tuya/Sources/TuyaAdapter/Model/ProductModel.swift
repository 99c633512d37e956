import HomeModel
import JSON
package import TuyaProtocol

/// What the data points of a product mean, shared by all devices that are alike.
package final class ProductModel: Sendable {
    /// What a model is made of; equal sources make equal models.
    package struct Source: Hashable, Sendable {
        /// The schema that was given, as text.
        package var schema: String?
        package var category: String?
        package var mayBeLight: Bool
        package var lightKind: LightSettings.Kind?
        package var generation: Int?
        package var kelvin: ClosedRange<Int>
        package var isTemperatureReversed: Bool
        package var scenes: [String]
        package var phasePoints: [Int]
        package var phasePowerIsSigned: Bool
        /// Data points that have shown themselves without a schema: type names by id.
        package var seen: [Int: SeenType]
    }

    /// The vendor's category: the configured one, else the schema's.
    package let category: String?
    /// What the model was made from of what devices have shown, shared by all of them.
    let seen: [Int: SeenType]
    /// Ids of all data points that are known, for devices that must be asked by name.
    package let pointIDs: [Int]
    /// A lamp of which nothing but its kind is known; nil for other products.
    package let lamp: Light?
    /// All points that are no part of the light.
    let bindings: [PointBinding]
    /// Points that trigger something, each time that they are set.
    let pulses: Set<Int>
    /// Points that are never reported.
    let sendOnly: Set<Int>

    package init(_ source: Source, settings: DeviceSettings) {
        let schema = settings.schema.flatMap { DeviceSchema(json: $0) }
        category = settings.category ?? schema?.category
        seen = source.seen
        let light = Self.light(source, settings.light, schema)
        lamp = light.map { Light(profile: $0) }
        let points = (schema?.points ?? []) + Self.inferred(source.seen, beyond: schema)
        pointIDs = points.map(\.id).sorted()
        pulses = Set(points.filter { $0.trigger == .pulse }.map(\.id))
        sendOnly = Set(points.filter { $0.transfer == .sendOnly }.map(\.id))
        let taken = light?.pointIDs ?? []
        var names = light == nil ? Set<String>() : LightProperties.names
        bindings = points.filter { !taken.contains($0.id) }
            .map { Self.binding($0, settings: settings, isKnown: schema?[$0.id] != nil, names: &names) }
    }

    private static func inferred(_ seen: [Int: SeenType], beyond schema: DeviceSchema?) -> [DataPointSchema] {
        seen.filter { schema?[$0.key] == nil }
            .map { DataPointSchema(id: $0.key, type: $0.value.pointType) }
            .sorted { $0.id < $1.id }
    }

    private static func binding(
        _ point: DataPointSchema,
        settings: DeviceSettings,
        isKnown: Bool,
        names: inout Set<String>
    ) -> PointBinding {
        let meaning = PointRole.meaning(of: point)
        var reading = meaning?.reading ?? .plain
        if case .raw = point.type, point.code?.hasPrefix("phase_") == true || settings.phasePoints.contains(point.id) {
            reading = .phase(settings.phasePowerIsSigned ? .signed : .unsigned)
        } else if settings.phasePoints.contains(point.id) {
            reading = .phase(settings.phasePowerIsSigned ? .signed : .unsigned)
        }
        return PointBinding(
            point: point,
            name: name(of: point, names: &names),
            role: meaning?.role,
            reading: reading,
            isExpertOnly: !isKnown
        )
    }

    /// A name that a property may have and no other has.
    private static func name(of point: DataPointSchema, names: inout Set<String>) -> String {
        let fallback = "dp_\(point.id)"
        var letters = (point.code ?? fallback).lowercased().utf8.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
            default: UInt8(ascii: "_")
            }
        }
        letters.removeFirst(letters.prefix { $0 == UInt8(ascii: "_") }.count)
        var name = String(decoding: letters.prefix(48), as: UTF8.self)
        if name.isEmpty || names.contains(name) || CommandOption.names.contains(name)
            || name == CommandOption.transition
        {
            name = fallback
        }
        names.insert(name)
        return name
    }

    /// The lamp's profile, as far as it is known before the lamp has said a word.
    private static func light(
        _ source: Source,
        _ settings: LightSettings,
        _ schema: DeviceSchema?
    ) -> LightProfile? {
        guard source.mayBeLight, var profile = profile(source, schema) else { return nil }
        profile.temperature.kelvin = source.kelvin
        profile.temperature.direction = source.isTemperatureReversed ? .warmAtMaximum : .warmAtMinimum
        if profile.scenePoint != nil {
            profile.effects =
                settings.scenes.map { LightEffect(name: $0.name, selection: .data($0.data)) } + profile.effects
        }
        return profile
    }

    private static func profile(_ source: Source, _ schema: DeviceSchema?) -> LightProfile? {
        let seen = Set(source.seen.keys)
        let layout = source.generation.flatMap(LightLayout.init(rawValue:)) ?? SeenType.layout(of: source.seen)
        if let kind = source.lightKind.flatMap({ LightKind(rawValue: $0.rawValue) }) {
            return LightProfile(layout: layout ?? .second, type: kind, extraPoints: Array(seen))
        }
        if let schema, var profile = LightProfile(schema: schema) {
            profile.grow(with: SeenType.examples(of: source.seen))
            return profile
        }
        guard schema == nil, let layout else { return nil }
        var profile = LightProfile(layout: layout, type: .white, extraPoints: Array(seen))
        if let brightness = profile.brightness, !seen.contains(brightness.id) { profile.brightness = nil }
        return profile
    }
}

extension LightProfile {
    /// The data points that make up the light.
    var pointIDs: Set<Int> {
        let ids: [Int?] = [
            switchPoint, modePoint, brightness?.id, temperaturePoint, colour?.id, scenePoint, countdown?.id,
        ]
        return Set(ids.compactMap { $0 })
    }
}
