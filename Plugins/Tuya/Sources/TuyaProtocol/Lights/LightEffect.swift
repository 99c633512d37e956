/// A scene that a light can play.
package struct LightEffect: Hashable, Sendable {
    /// How the scene is selected.
    package enum Selection: Hashable, Sendable {
        /// A mode of its own, such as `scene_1` (generation 1).
        case mode(String)
        /// A text for the scene data point (generation 2).
        case data(String)
    }

    /// Lower case, as on MQTT.
    package var name: String
    package var selection: Selection

    /// Describes a scene.
    package init(name: String, selection: Selection) {
        self.name = name
        self.selection = selection
    }

    /// The scenes that the vendor's app offers for generation 2, by their numbers 0 … 7.
    package static let standard: [LightEffect] = {
        let hues = [0, 120, 240, 61, 174, 275]
        func fading(_ change: LightScene.Change, _ hues: some Sequence<Int>) -> [LightScene.Unit] {
            hues.map { LightScene.Unit(interval: 70, time: 70, change: change, hue: $0, saturation: 1000, value: 1000) }
        }
        func still(brightness: Int, temperature: Int) -> [LightScene.Unit] {
            [LightScene.Unit(interval: 14, time: 13, change: .still, brightness: brightness, temperature: temperature)]
        }
        let green = LightScene.Unit(interval: 70, time: 70, change: .fade, hue: 120, saturation: 1000, value: 1000)
        var dimGreen = green
        dimGreen.value = 10
        let scenes: [(String, [LightScene.Unit])] = [
            ("night", still(brightness: 200, temperature: 0)),
            ("read", still(brightness: 1000, temperature: 500)),
            ("meeting", still(brightness: 1000, temperature: 1000)),
            ("leisure", still(brightness: 500, temperature: 500)),
            ("soft", [green, dimGreen]),
            ("rainbow", fading(.jump, hues.prefix(3))),
            ("shine", fading(.jump, hues)),
            ("beautiful", fading(.fade, hues)),
        ]
        return scenes.enumerated().map { number, scene in
            LightEffect(name: scene.0, selection: .data(LightScene(number: number, units: scene.1).encoded))
        }
    }()
}
