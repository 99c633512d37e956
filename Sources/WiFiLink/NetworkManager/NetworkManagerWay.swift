import EventLoop
import HomeModel
import Hub

/// Moves the radio by NetworkManager's `nmcli`.
///
/// The hotspot gets a profile of its own, which is in memory only; saved profiles are never changed, and the one that was
/// active is activated again.
@Loop
final class NetworkManagerWay: WiFiWay {
    nonisolated let name = WiFiOptions.Way.networkManager.rawValue
    private static let program = "nmcli"
    /// How long a question to NetworkManager may take.
    private static let short = Duration.seconds(10)
    /// How long a scan may take.
    private static let scanTime = Duration.seconds(25)

    private let programs: Programs
    private let options: WiFiOptions

    init(_ options: WiFiOptions) {
        self.options = options
        programs = Programs(options)
    }

    /// Whether NetworkManager is here, runs, and manages a radio.
    func isUsable() async -> Bool {
        guard programs.has(Self.program) else { return false }
        return (try? await radio()) != nil
    }

    func radio() async throws(WiFiError) -> String {
        let devices = TerseText.records(try await text(["-t", "-f", "DEVICE,TYPE,STATE", "device"]))
        let radios = devices.filter { $0.count == 3 && $0[1] == "wifi" }
        let radio = options.interface.map { name in radios.first { $0[0] == name } } ?? radios.first
        guard let radio else {
            let what = options.interface.map { "\($0) is no Wi-Fi interface" } ?? "no Wi-Fi interface is there"
            throw .noRadio("NetworkManager says that \(what).")
        }
        guard radio[2] != "unmanaged" else { throw .noRadio("NetworkManager does not manage \(radio[0]).") }
        guard radio[2] != "unavailable" else { throw .noRadio("The radio \(radio[0]) is switched off or blocked.") }
        return radio[0]
    }

    func origin(of move: WiFiMove) async throws(WiFiError) -> MoveRecord {
        let interface = try await radio()
        var record = MoveRecord(way: name, session: move.session, ssid: move.ssid)
        record.interface = interface
        record.previous = try await active(on: interface)?.id
        record.profile = Self.makeProfileID()
        record.addresses = Interface.addresses(of: interface)
        return record
    }

    func scan() async throws(WiFiError) -> [WiFiSighting] {
        try await list(on: try await radio(), rescan: "yes").map(\.sighting)
    }

    func join(_ move: WiFiMove, from record: MoveRecord) async throws(WiFiError) -> WiFiPlace {
        guard let interface = record.interface, let profile = record.profile else { throw .wayGone(name) }
        var found = try await list(on: interface, rescan: "auto").filter { $0.sighting.ssid == move.ssid }
        if found.isEmpty {
            found = try await list(on: interface, rescan: "yes").filter { $0.sighting.ssid == move.ssid }
        }
        guard let entry = found.first else { throw .notFound(ssid: move.ssid) }
        let secret = entry.sighting.isSecured ? try secretLine(move) : nil
        // One of an earlier join of the same session.
        try await remove(profile)
        var arguments = ["connection", "add", "save", "no", "type", "wifi", "ifname", interface]
        arguments += ["con-name", "lintel-\(move.session)", "ssid", move.ssid, "connection.uuid", profile]
        arguments += ["connection.autoconnect", "no", "ipv6.method", "ignore"]
        // The hotspot must neither become the way out nor answer for names.
        arguments += ["ipv4.method", "auto", "ipv4.never-default", "yes", "ipv4.ignore-auto-dns", "yes"]
        if secret != nil {
            arguments += ["802-11-wireless-security.key-mgmt", entry.isSAEOnly ? "sae" : "wpa-psk"]
        }
        _ = try await text(arguments)
        try await activate(profile, on: interface, ssid: move.ssid, secret: secret)
        return try await place(on: interface)
    }

    func goBack(_ record: MoveRecord, _ prompt: WiFiPrompt?) async throws(WiFiError) {
        if let profile = record.profile { try await remove(profile) }
        guard let interface = record.interface, let previous = record.previous else { return }
        let now = try await active(on: interface)
        if let now, now.id == previous, now.isUp { return }
        let output = try await up(previous, on: interface, secret: nil)
        // 10: the profile has been deleted meanwhile, so that NetworkManager chooses.
        if output.code == 0 || output.code == 10 { return }
        // Something else of the operator's has the radio by now, as NetworkManager saw fit.
        if let other = try await active(on: interface), other.isUp, other.id != record.profile { return }
        throw .program(Self.program, words: output.complaint)
    }

    func isJoined(_ record: MoveRecord, _ place: WiFiPlace) -> Bool {
        Interface.isUp(place.interface, address: place.address)
    }

    // MARK: Steps

    private func secretLine(_ move: WiFiMove) throws(WiFiError) -> [UInt8] {
        guard let line = move.passphrase.flatMap({ PasswordFile.line(passphrase: $0) }) else {
            throw .refused(ssid: move.ssid)
        }
        return line
    }

    private func activate(
        _ profile: String,
        on interface: String,
        ssid: String,
        secret: [UInt8]?
    ) async throws(WiFiError) {
        let output = try await up(profile, on: interface, secret: secret)
        switch output.code {
        case 0: return
        case 3: throw .timedOut("Joining \"\(ssid)\"", after: options.timeout)
        default:
            let words = String(decoding: output.stderr, as: UTF8.self)
            throw Self.reason(words, ssid, interface, secret == nil)
                ?? .program(Self.program, words: output.complaint)
        }
    }

    /// What nmcli's words tell of a connection that did not come up, as numbers of NetworkManager's reasons or as their
    /// texts, whichever the version writes; nil for what is none of ours.
    private static func reason(_ words: String, _ ssid: String, _ interface: String, _ isOpen: Bool) -> WiFiError? {
        func tells(_ marks: String...) -> Bool { marks.contains { words.contains($0) } }
        if tells("(53)", "could not be found", "No network with SSID") { return .notFound(ssid: ssid) }
        if tells("(5)", "(15)", "(16)", "(17)", "IP configuration", "DHCP") { return .noAddress(interface: interface) }
        if !isOpen, tells("(7)", "(8)", "(9)", "(11)", "Secrets were", "upplicant") { return .refused(ssid: ssid) }
        return nil
    }

    private func up(_ profile: String, on interface: String, secret: [UInt8]?) async throws(WiFiError) -> ProgramOutput
    {
        let seconds = max(1, options.timeout.components.seconds)
        var arguments = ["--wait", "\(seconds)", "connection", "up", "uuid", profile, "ifname", interface]
        let deadline = options.timeout + .seconds(5)
        guard let secret else { return try await programs.run(Self.program, arguments, deadline: deadline) }
        // Neither on a command line nor on a disk.
        guard let file = HiddenFile(secret) else { throw .program(Self.program, words: "no memory for the password") }
        arguments += ["passwd-file", file.path]
        let output = try await programs.run(Self.program, arguments, deadline: deadline)
        return output
    }

    /// Removes a profile of ours; one that is not there is removed already.
    private func remove(_ profile: String) async throws(WiFiError) {
        let output = try await programs.run(
            Self.program,
            ["connection", "delete", "uuid", profile],
            // It waits up to 10 s for the connection to end.
            deadline: .seconds(20)
        )
        guard output.code == 0 || output.code == 10 else { throw .program(Self.program, words: output.complaint) }
    }

    /// The profile that is active on an interface, or becomes so.
    private func active(on interface: String) async throws(WiFiError) -> (id: String, isUp: Bool)? {
        let text = try await text(["-t", "-f", "UUID,DEVICE,STATE", "connection", "show", "--active"])
        let record = TerseText.records(text).first { $0.count == 3 && $0[1] == interface && $0[2] != "deactivating" }
        return record.map { ($0[0], $0[2] == "activated") }
    }

    private func list(on interface: String, rescan: String) async throws(WiFiError) -> [NetworkManagerScan.Entry] {
        let arguments = ["-t", "-f", NetworkManagerScan.fields, "device", "wifi", "list", "ifname", interface]
        let text = try await programs.text(
            Self.program,
            arguments + ["--rescan", rescan],
            deadline: Self.scanTime
        )
        return NetworkManagerScan.parse(text)
    }

    private func place(on interface: String) async throws(WiFiError) -> WiFiPlace {
        let text = try await text(["-t", "-f", "IP4,DHCP4", "device", "show", interface])
        guard let address = TerseText.values(text, of: "IP4.ADDRESS").first else {
            throw .noAddress(interface: interface)
        }
        let parts = address.split(separator: "/")
        guard parts.count == 2, let prefix = Int(parts[1]), (0...32).contains(prefix),
            SocketAddress(ip: String(parts[0]), port: 0) != nil
        else { throw .output(program: Self.program, String(address.prefix(80))) }
        let routers = TerseText.values(text, of: "DHCP4.OPTION").first { $0.hasPrefix("routers = ") }
        let gateway =
            TerseText.values(text, of: "IP4.GATEWAY").first
            ?? routers?.dropFirst("routers = ".count).split(separator: " ").first.map { String($0) }
        return WiFiPlace(interface: interface, address: String(parts[0]), prefix: prefix, gateway: gateway)
    }

    private func text(_ arguments: [String]) async throws(WiFiError) -> String {
        try await programs.text(Self.program, arguments, deadline: Self.short)
    }

    /// A random UUID (version 4), known before the profile is made.
    private static func makeProfileID() -> String {
        var bytes = (0..<16).map { _ in UInt8.random(in: 0...255) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text = ""
        for (offset, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(offset) { text += "-" }
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return text
    }
}
