import Glibc
import HomeModel
import Hub
import JSON
import Registry

// A process for RegistryTests to kill, to lock out and to take rights from.
//
//   write <directory>        adds devices without end; prints the count after each acknowledged commit
//   hold <directory>         opens the registry and keeps it until standard input ends
//   open <directory> <uid>   opens it as another user and prints what came of it
//   measure <directory>      prints figures of a registry with 1,000 lamps; build it with -c release

func say(_ line: String) {
    print(line)
    fflush(nil)
}

func writeWithoutEnd(_ registry: Registry) async throws {
    var count = try await registry.load().devices.count
    guard let plugin = PluginID("fake"), let lamp = DeviceID("lamp-0") else { fatalError("these are ids") }
    while true {
        guard let id = DeviceID("lamp-\(count)") else { fatalError("this is an id") }
        let vendorID = VendorID("vendor \(count)")
        let record = DeviceRecord(
            id: id,
            plugin: plugin,
            vendorID: vendorID,
            description: DeviceDescription(vendorID: vendorID, name: "Lamp \(count)"),
            createdAt: Timestamp(milliseconds: Int64(count))
        )
        // The topic first, so that every device has one whenever we are killed.
        try await registry.add([LedgerEntry(topic: "lintel/device/\(id)/state", owner: "device/\(id)")])
        try await registry.commit([
            .putDevice(record), .putSecrets(Secrets(["local_key": "key of \(count)"]), device: id),
        ])
        count += 1
        say("\(count)")
        let state: JSONObject = ["count": JSON(count)]
        registry.note(.state(lamp, state, at: Timestamp(milliseconds: 1)))
        registry.note(
            .command(
                CommandTrace(
                    device: lamp,
                    at: Timestamp(milliseconds: 1),
                    source: "test",
                    request: .object(state),
                    outcome: "confirmed"
                )
            )
        )
        if count % 7 == 0 { await registry.flush() }
    }
}

let arguments = CommandLine.arguments
guard arguments.count >= 3 else { exit(EXIT_FAILURE) }
if arguments[1] == "open", arguments.count > 3, let user = uid_t(arguments[3]), setuid(user) != 0 { exit(EXIT_FAILURE) }
do {
    if arguments[1] == "measure" {
        try await measure(arguments[2])
        exit(EXIT_SUCCESS)
    }
    var options = RegistryOptions(directory: arguments[2])
    options.noteInterval = .milliseconds(5)
    let registry = try await Registry.open(options) { say("notice \($0)") }
    switch arguments[1] {
    case "write": try await writeWithoutEnd(registry)
    case "hold":
        say("open")
        while getchar() != EOF {}
        await registry.close()
    default:
        say("open")
        await registry.close()
    }
} catch {
    say("\(error)")
}
