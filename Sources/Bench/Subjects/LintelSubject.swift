import EventLoop
import Simulators

/// `lintel run` with the Tuya plugin.
@Loop
final class LintelSubject: Subject {
    let name: String
    let baseTopic: String
    let firstLamp: UInt32
    private let executable: String
    private let pluginFolder: String?
    private let setPause: Int?

    /// - Parameters:
    ///   - pluginFolder: where plugins are found; nil for the program's own idea.
    ///   - setPause: milliseconds between two sets to a lamp; nil for the plugin's default.
    init(executable: String, pluginFolder: String?, setPause: Int?) {
        self.executable = executable
        self.pluginFolder = pluginFolder
        self.setPause = setPause
        name = "lintel"
        baseTopic = "lintel"
        firstLamp = BenchOptions.lampNetwork(1)
    }

    func command(
        broker: UInt16,
        house: TuyaLampHouse,
        folder: String
    ) throws -> (executable: String, arguments: [String]) {
        var text = """
            mqtt:
              url: mqtt://127.0.0.1:\(broker)
              base_topic: \(baseTopic)
            data_directory: \(folder)/data

            """
        if let pluginFolder { text += "plugin_directories: [\(pluginFolder)]\n" }
        text += house.configuration()
        if let setPause { text += "    set_pause_ms: \(setPause)\n" }
        let path = folder + "/lintel.yaml"
        try SystemFile.write(text, to: path)
        return (executable, ["run", "--config", path])
    }
}
