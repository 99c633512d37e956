import Glibc
import JSON
import Testing
import WiFiLink

/// The program that moves a radio to be killed meanwhile.
enum Mover {
    /// Its argument.
    static func plan(_ radio: FakeRadio, _ way: WiFiOptions.Way, recovers: Bool = false) -> String {
        var plan: JSONObject = ["way": .string(way.rawValue), "directory": .string(radio.data)]
        plan["search_path"] = .string("\(radio.programs):/usr/sbin:/usr/bin:/sbin:/bin")
        plan["interface"] = "wlan9"
        plan["command"] = way == .command ? .array(radio.commandLine.map { .string($0) }) : []
        plan["ssid"] = "SmartLife-3F2A"
        plan["recover"] = .bool(recovers)
        return JSON.object(plan).text
    }

    /// Where SwiftPM puts it: beside the tests.
    static func program() throws -> String {
        let own = try #require(realpath("/proc/self/exe", nil))
        defer { free(own) }
        let path = String(cString: own)
        let slash = try #require(path.lastIndex(of: "/"))
        return path[..<slash] + "/lintel-wifi-mover"
    }
}
