import EventLoop
import Glibc
import HomeModel
import Hub
import JSON

/// Moves the radio by the operator's own program; `WIFI.md` in this folder has the contract.
@Loop
final class CommandWay: WiFiWay {
    nonisolated let name = WiFiOptions.Way.command.rawValue
    private static let short = Duration.seconds(10)

    private let options: WiFiOptions
    private let programs: Programs

    init(_ options: WiFiOptions) {
        self.options = options
        programs = Programs(options)
    }

    func radio() async throws(WiFiError) -> String {
        let status = try await status()
        return status["interface"]?.stringValue ?? options.interface ?? "that of \(program)"
    }

    func origin(of move: WiFiMove) -> MoveRecord {
        var record = MoveRecord(way: name, session: move.session, ssid: move.ssid)
        record.interface = options.interface
        return record
    }

    func scan() async throws(WiFiError) -> [WiFiSighting] {
        let json = try await call(["scan"], deadline: options.timeout)
        guard let entries = json.arrayValue else { throw .output(program: program, "scan is no list") }
        return entries.compactMap(Self.sighting)
    }

    func join(_ move: WiFiMove, from record: MoveRecord) async throws(WiFiError) -> WiFiPlace {
        let passphrase = move.passphrase ?? ""
        guard !passphrase.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\n") }) else {
            throw .refused(ssid: move.ssid)
        }
        let input = Array("\(passphrase)\n".utf8)
        let json = try await call(["join", move.ssid], for: (move, record), input: input, deadline: options.timeout)
        guard let interface = json["interface"]?.stringValue, let address = json["address"]?.stringValue,
            SocketAddress(ip: address, port: 0) != nil, let prefix = json["prefix"]?.intValue, (0...32).contains(prefix)
        else { throw .output(program: program, "join tells no interface, address and prefix") }
        // Else nothing could be sent to the device, and nobody would know why.
        guard if_nametoindex(interface) != 0 else {
            throw .output(program: program, "join tells an interface that is not here: \(interface.prefix(16))")
        }
        return WiFiPlace(
            interface: interface,
            address: address,
            prefix: Int(prefix),
            gateway: json["gateway"]?.stringValue
        )
    }

    func goBack(_ record: MoveRecord, _ prompt: WiFiPrompt?) async throws(WiFiError) {
        _ = try await call(["leave"], deadline: options.timeout, wantsOutput: false)
    }

    func isJoined(_ record: MoveRecord, _ place: WiFiPlace) async throws(WiFiError) -> Bool {
        try await status()["joined"]?.stringValue == record.ssid
    }

    func homeSurvives() async -> Bool? {
        try? await status()["home_survives"]?.boolValue
    }

    private func status() async throws(WiFiError) -> JSON { try await call(["status"], deadline: Self.short) }

    /// What to call it in words for a person.
    private var program: String {
        options.command.first?.split(separator: "/").last.map { String($0) } ?? "wifi.command"
    }

    private func call(
        _ words: [String],
        for away: (move: WiFiMove, record: MoveRecord)? = nil,
        input: [UInt8]? = nil,
        deadline: Duration,
        wantsOutput: Bool = true
    ) async throws(WiFiError) -> JSON {
        guard let executable = options.command.first else { throw .wayGone(name) }
        let arguments = options.command.dropFirst() + words
        let programs = away.map { self.programs.marked($0.record) } ?? programs
        let ssid = away?.move.ssid ?? ""
        let output = try await programs.run(executable, Array(arguments), input: input, deadline: deadline)
        switch output.code {
        case 0: break
        case 2: throw .notFound(ssid: ssid)
        case 3: throw .refused(ssid: ssid)
        case 4: throw .timedOut("\(program) \(words[0])", after: deadline)
        case 5: throw .noRadio(output.stderr.isEmpty ? "\(program) has no radio that may be moved." : output.complaint)
        default: throw .program(program, words: output.complaint)
        }
        guard wantsOutput else { return .null }
        guard let json = try? JSON.parse(output.stdout) else {
            throw .output(program: program, "\(words[0]) writes no JSON")
        }
        return json
    }

    /// An entry of a scan; nil for one without a name.
    private static func sighting(_ json: JSON) -> WiFiSighting? {
        guard let ssid = json["ssid"]?.stringValue else { return nil }
        return WiFiSighting(
            ssid: ssid,
            bssid: json["bssid"]?.stringValue?.lowercased(),
            signal: json["signal"]?.intValue.map { Int($0) },
            frequency: json["frequency"]?.intValue.map { Int($0) },
            isSecured: json["secured"]?.boolValue ?? false
        )
    }
}
