import DeviceInterface
import EventLoop
import Glibc
import HomeModel
import Hub
import JSON
import Log
import WiFiLink

// A process for WiFiLinkTests to kill: joins a network and leaves it again, or only recovers.
//
//   {"way","directory","search_path","interface"?,"command":[…],"ssid","passphrase"?,"recover"?}

func say(_ line: String) {
    print(line)
    fflush(nil)
}

guard CommandLine.arguments.count == 2, let plan = try? JSON.parse(CommandLine.arguments[1]),
    let directory = plan["directory"]?.stringValue, let ssid = plan["ssid"]?.stringValue,
    let session = PairingID("p-1"), let way = plan["way"]?.stringValue.flatMap({ WiFiOptions.Way(rawValue: $0) })
else { exit(64) }
var options = WiFiOptions(way: way, interface: plan["interface"]?.stringValue, directory: directory)
options.command = (plan["command"]?.arrayValue ?? []).compactMap(\.stringValue)
options.searchPath = plan["search_path"]?.stringValue ?? options.searchPath
options.scanTime = .zero
options.leasePatience = .zero
// So that the calls come in the same order each time.
options.watchInterval = .seconds(3600)
let chosen = options
let recovers = plan["recover"]?.boolValue == true
let passphrase = plan["passphrase"]?.stringValue

Loop.runMain {
    let link = WiFiLink(chosen, log: .discarding())
    if recovers {
        await link.recover()
        return await link.preflight().contains { $0.check == "journal" && $0.level == .ok } ? 0 : 1
    }
    let prompt: WiFiPrompt = { _ throws(CommandError) in JSONObject() }
    do throws(CommandError) {
        let join = WiFiJoin(session: session, ssid: ssid, passphrase: passphrase)
        let place = try await link.join(join, prompt: prompt)
        say("joined \(place.address)/\(place.prefix)")
        try await link.leave(for: session, prompt: prompt)
        say("left")
        return 0
    } catch {
        say("failed \(error.code.rawValue)")
        return 1
    }
}
