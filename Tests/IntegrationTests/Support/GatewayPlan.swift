import Simulators
import TestSupport

/// What a test's house is made of.
struct GatewayPlan {
    /// The lamps; ids are `lamp-1` and so on, addresses are chosen by the house.
    var lamps = HousePlan()
    var broker = MosquittoBroker.Configuration()
    var base = "lintel"
    /// Lines below `mqtt:`, indented by two.
    var mqtt: [String] = []
    /// Lines below `plugins.tuya:`, indented by four.
    var tuya: [String] = []
    /// Lines at the top level.
    var lines: [String] = []
    /// Lines of a single lamp, by its number from 0 on, indented by eight.
    var lampLines: [Int: [String]] = [:]
    /// Whether the configuration says address and version of the lamps.
    var namesPlaces = true
    /// Whether it says the version, too.
    var namesVersions = true
    /// A second plugin, of lamps that do not exist: its section, indented by four; nil for none.
    var fakePlugin: [String]?
    /// The arguments of that plugin's program.
    var fakeArguments: [String] = []
    /// How lamps announce themselves; the gateway listens on the same ports then, and on none otherwise.
    var beacons: LampAnnouncer.Settings?
    var logLevel = "debug"
    /// Whether the gateway and a client are up when the test begins.
    var startsGateway = true

    init(lamps count: Int = 1, versions: [LampVersion] = [.v33]) {
        lamps.count = count
        lamps.versions = versions.map(\.version)
        lamps.idPrefix = "lamp-"
        lamps.firstNumber = 1
        lamps.idDigits = 1
    }
}
