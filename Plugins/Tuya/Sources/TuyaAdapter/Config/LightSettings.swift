internal import JSON

/// What the operator says of a lamp, where the plugin should not find it out.
package struct LightSettings: Sendable, Equatable {
    /// The five types, by their channels.
    package enum Kind: String, CaseIterable, Sendable {
        /// One white.
        case white = "C"
        /// Two whites.
        case tunableWhite = "CW"
        /// Colours only.
        case color = "RGB"
        /// Colours and one white.
        case colorAndWhite = "RGBC"
        /// Colours and two whites.
        case colorAndTunableWhite = "RGBCW"
    }

    /// nil: by the data points that the lamp has.
    package var kind: Kind?
    /// Which numbers its data points have, 1 … 3 (3: 1 switch, 2 brightness, 3 temperature); nil: by what it reports.
    package var generation: Int?
    /// Colour temperatures of the warmest and the coldest white, in kelvin.
    package var kelvin: ClosedRange<Int>
    /// Whether the lamp counts temperature from cold to warm.
    package var isTemperatureReversed: Bool
    /// Named scenes: what the scene data point is set to, by name.
    package var scenes: [Scene]

    /// The range of white that most lamps have.
    package static let standardKelvin = 2700...6500

    /// A scene under a name of its own.
    package struct Scene: Sendable, Equatable {
        /// The name, an `effect`.
        package var name: String
        /// The value of the scene data point.
        package var data: String

        /// Names a scene.
        package init(name: String, data: String) {
            self.name = name
            self.data = data
        }
    }

    /// Nothing but what is found out.
    package init(
        kind: Kind? = nil,
        generation: Int? = nil,
        kelvin: ClosedRange<Int> = standardKelvin,
        isTemperatureReversed: Bool = false,
        scenes: [Scene] = []
    ) {
        self.kind = kind
        self.generation = generation
        self.kelvin = kelvin
        self.isTemperatureReversed = isTemperatureReversed
        self.scenes = scenes
    }
}

extension LightSettings {
    init(_ reader: inout ConfigReader) {
        self.init()
        kind = reader.word("type")
        generation = reader.integer("generation", 1...3)
        if let ends = reader.integers("kelvin", 1000...20_000) {
            if ends.count == 2, ends[0] < ends[1] {
                kelvin = ends[0]...ends[1]
            } else {
                reader.add("kelvin", "must be the warmest and the coldest white in kelvin, such as [2700, 6500]")
            }
        }
        isTemperatureReversed = reader.flag("reversed") ?? false
        if let named = reader.value("scenes") {
            for (name, data) in named.objectValue ?? JSONObject() {
                guard let data = data.stringValue, !name.isEmpty else {
                    reader.add("scenes.\(name)", "must be the text that the scene data point is set to")
                    continue
                }
                scenes.append(Scene(name: name, data: data))
            }
            if named.objectValue == nil { reader.add("scenes", "must be an object of names and texts") }
        }
        reader.refuseOtherKeys()
    }
}
