import EventLoop
import Glibc
import JSON

/// The simulated lamps of the demo, in a process of their own.
@Loop
final class DemoLamps {
    /// Their section of the gateway's configuration.
    private(set) var section = ""
    /// Their ids.
    private(set) var ids: [String] = []
    private var process: ChildProcess?
    private var hasEnded = false

    static func start(count: Int, folder: String) async throws -> DemoLamps {
        let lamps = DemoLamps()
        try await lamps.launch(count, folder)
        return lamps
    }

    func stop() { process?.signal(SIGTERM, toGroup: true) }

    private func launch(_ count: Int, _ folder: String) async throws {
        let configuration = "\(folder)/lamps.yaml"
        let devices = "\(folder)/lamps.json"
        unlink(devices)
        do throws(LoopError) {
            process = try ChildProcess(
                executable: "\(PluginFolders.ownFolder)/lintel-simulator",
                arguments: [
                    "lamps", "--count", "\(count)", "--id-prefix", "demo-lamp-", "--versions", "3.3,3.5,3.4,3.1",
                    "--types", "RGBCW,RGBCW,CW,RGB", "--generations", "2,2,2,1", "--beacons", "--exit-with-input",
                    "--quiet",
                    "--config-out", configuration, "--devices-out", devices,
                ],
                environment: ProcessEnvironment.all,
                stdin: .pipe,
                stdout: .null,
                stderr: .inherit
            ) { [weak self] _ in self?.hasEnded = true }
        } catch {
            throw Failure(
                .configuration,
                "The simulated lamps cannot be started: \(error).",
                hint: "Build them with make build."
            )
        }
        // The devices' file is written when all lamps listen.
        for _ in 0..<500 where !hasEnded {
            if let bytes = Files.read(devices, limit: 1 << 20), let list = try? JSON.parse(bytes),
                let text = Files.read(configuration, limit: 1 << 20)
            {
                ids = list.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
                section = String(decoding: text, as: UTF8.self)
                return
            }
            try await Loop.sleep(for: .milliseconds(20))
        }
        throw Failure(
            .configuration,
            "The simulated lamps did not come up.",
            hint: "They need TCP port 6668 on 127.0.0.2 and the addresses after it."
        )
    }
}
