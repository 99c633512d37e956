package import EventLoop
import Glibc
package import JSON

/// A radio on the simulated air: what an operator's own Wi-Fi command does, without hardware.
///
/// What it joined is kept in a file of the air, since each command is a process of its own.
@Loop
package final class AirRadio {
    private let air: Air
    /// The interface that is used instead of a network's own.
    private let interface: String?
    /// Whether addresses are set on the interface, as needed between network namespaces.
    private let configures: Bool

    /// Makes a radio.
    package init(_ air: Air, interface: String? = nil, configures: Bool = false) {
        self.air = air
        self.interface = interface
        self.configures = configures
    }

    /// The networks in reach.
    package func scan() -> JSON { .array(air.networks().map(\.sighting)) }

    /// Joins a network, from wherever the radio is.
    ///
    /// - Returns: the radio's place there.
    package func join(_ ssid: String, passphrase: String) async throws(AirError) -> JSON {
        guard let network = air.network(ssid) else { throw .notFound(ssid: ssid) }
        guard network.passphrase == nil || network.passphrase == passphrase else { throw .refused(ssid: ssid) }
        let interface = interface ?? network.interface
        var state = Air.read(statePath)?.objectValue ?? JSONObject()
        if state["before"] == nil { state["before"] = .array(configures ? Self.addresses(of: interface) : []) }
        state["ssid"] = .string(ssid)
        state["interface"] = .string(interface)
        try Air.write(.object(state), to: statePath)
        if configures {
            try await Self.ip(["addr", "flush", "dev", interface])
            try await Self.ip(["link", "set", interface, "up"])
            try await Self.ip(["addr", "add", "\(network.address)/\(network.prefix)", "dev", interface])
        }
        return network.place(on: interface)
    }

    /// Goes back to where the radio was; does nothing where it did not move.
    package func leave() async throws(AirError) {
        guard let state = Air.read(statePath) else { return }
        if configures, let interface = state["interface"]?.stringValue {
            let before = (state["before"]?.arrayValue ?? []).compactMap(\.stringValue)
            try await Self.ip(["addr", "flush", "dev", interface])
            for address in before { try await Self.ip(["addr", "add", address, "dev", interface]) }
            if before.isEmpty { try await Self.ip(["link", "set", interface, "down"]) }
        }
        guard unlink(statePath) == 0 || errno == ENOENT else { throw .file(path: statePath, code: errno) }
    }

    /// `{"joined": name or null, "interface"?, "home_survives"}`; a network that is off the air is not joined.
    package func status() -> JSON {
        let state = Air.read(statePath)
        var object: JSONObject = ["joined": .null]
        if let ssid = state?["ssid"]?.stringValue, air.network(ssid) != nil { object["joined"] = .string(ssid) }
        let interface = state?["interface"]?.stringValue ?? interface
        if let interface { object["interface"] = .string(interface) }
        let others = (try? NetworkInterface.all())?.contains { $0.isUp && !$0.isLoopback && $0.name != interface }
        object["home_survives"] = .bool(!configures || others == true)
        return .object(object)
    }

    private var statePath: String { "\(air.folder)/.radio-\(interface ?? "any")" }

    private static func addresses(of interface: String) -> [JSON] {
        let all = (try? NetworkInterface.all()) ?? []
        return all.filter { $0.name == interface }.map { entry in
            .string("\(SocketAddress(ipv4: entry.ipv4, port: 0).ip)/\(entry.netmask.nonzeroBitCount)")
        }
    }

    private static func ip(_ arguments: [String]) async throws(AirError) {
        let status: ChildProcess.ExitStatus? = await withCheckedContinuation { continuation in
            let child = try? ChildProcess(
                executable: "ip",
                arguments: arguments,
                environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
                stdin: .null,
                stdout: .null,
                stderr: .inherit
            ) { continuation.resume(returning: $0) }
            if child == nil { continuation.resume(returning: nil) }
        }
        guard status?.isSuccess == true else { throw .program("ip \(arguments.joined(separator: " ")) failed.") }
    }
}
