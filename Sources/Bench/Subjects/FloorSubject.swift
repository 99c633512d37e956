import EventLoop
import Simulators

/// The minimal bridge in C; a second one beside the first shows how much of a difference is noise.
@Loop
final class FloorSubject: Subject {
    let name: String
    let baseTopic: String
    let firstLamp: UInt32
    private let executable: String

    init(executable: String, isTwin: Bool = false) {
        self.executable = executable
        name = isTwin ? "twin" : "floor"
        baseTopic = name
        firstLamp = BenchOptions.lampNetwork(isTwin ? 1 : 0)
    }

    func command(
        broker: UInt16,
        house: TuyaLampHouse,
        folder: String
    ) -> (executable: String, arguments: [String]) {
        let first = house.lamps[0].identity.address
        return (
            executable,
            [
                "--port", String(broker), "--base", baseTopic, "--lamp-base", first.ip, "--lamp-port",
                String(first.port),
                "--count", String(house.lamps.count), "--id-prefix", BenchOptions.idPrefix, "--key", BenchOptions.key,
            ]
        )
    }
}
