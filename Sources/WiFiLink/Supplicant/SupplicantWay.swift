import EventLoop
import HomeModel
import Hub

/// Moves the radio by `wpa_cli`, where wpa_supplicant runs without a NetworkManager.
///
/// The hotspot becomes one more network in the supplicant's memory, whose configuration is never saved. Coming back removes
/// it, lets every other network be as it was, and selects the one that was in use.
@Loop
final class SupplicantWay: WiFiWay {
    nonisolated let name = WiFiOptions.Way.supplicant.rawValue

    private let options: WiFiOptions
    private let programs: Programs
    private let control: SupplicantControl

    init(_ options: WiFiOptions) {
        self.options = options
        programs = Programs(options)
        control = SupplicantControl(programs: programs)
    }

    /// Whether a supplicant answers for a radio.
    func isUsable() async -> Bool {
        guard programs.has(SupplicantControl.program) else { return false }
        return (try? await radio()) != nil
    }

    func radio() async throws(WiFiError) -> String {
        guard let interface = options.interface ?? Interface.wireless().first else {
            throw .noRadio("There is no Wi-Fi interface.")
        }
        guard try await control.answers(on: interface) else {
            throw .noRadio("No wpa_supplicant answers for \(interface).")
        }
        return interface
    }

    func origin(of move: WiFiMove) async throws(WiFiError) -> MoveRecord {
        let interface = try await radio()
        var record = MoveRecord(way: name, session: move.session, ssid: move.ssid)
        record.interface = interface
        let networks = try await control.networks(on: interface)
        record.known = networks.map { MoveRecord.Known(id: $0.id, isEnabled: $0.isEnabled) }
        record.previous = networks.first(where: \.isCurrent)?.id
        record.addresses = Interface.addresses(of: interface)
        record.boot = SystemFile.bootID()
        let route = DefaultRoute.all().first { $0.interface == interface }
        record.gateway = route?.gateway
        record.metric = route?.metric
        return record
    }

    func scan() async throws(WiFiError) -> [WiFiSighting] {
        try await control.scan(on: try await radio(), options.scanTime).map(\.sighting)
    }

    // MARK: There

    func join(_ move: WiFiMove, from record: MoveRecord) async throws(WiFiError) -> WiFiPlace {
        guard let interface = record.interface else { throw .wayGone(name) }
        try await removeOurs(record, on: interface)
        var found = try await control.scan(on: interface, options.scanTime).filter { $0.sighting.ssid == move.ssid }
        if found.isEmpty {
            found = try await control.scan(on: interface, options.scanTime).filter { $0.sighting.ssid == move.ssid }
        }
        guard let entry = found.first else { throw .notFound(ssid: move.ssid) }
        let passphrase = entry.sighting.isSecured ? move.passphrase : nil
        if entry.sighting.isSecured, passphrase == nil { throw .refused(ssid: move.ssid) }
        let id = try await control.addNetwork(on: interface)
        try await control.set(id, "ssid", HexName.digits(move.ssid), on: interface)
        if let passphrase {
            try await control.set(id, "key_mgmt", entry.isSAEOnly ? "SAE" : "WPA-PSK", on: interface)
            if entry.isSAEOnly { try await control.set(id, "ieee80211w", "2", on: interface) }
            guard try await control.setSecret(id, passphrase, isSAE: entry.isSAEOnly, on: interface) else {
                throw .refused(ssid: move.ssid)
            }
        } else {
            try await control.set(id, "key_mgmt", "NONE", on: interface)
        }
        try await control.order(["select_network", id], on: interface)
        try await awaitJoined(id, ssid: move.ssid, on: interface, isSecured: passphrase != nil)
        // Addresses and routes of home would lead into the hotspot.
        try await flush(interface)
        return try await LeaseClient(programs: programs.marked(record), options: options).configure(interface)
    }

    private func awaitJoined(_ id: String, ssid: String, on interface: String, isSecured: Bool) async throws(WiFiError)
    {
        let end = Loop.now + options.timeout
        while true {
            let status = try await control.status(on: interface)
            if status["wpa_state"] == "COMPLETED", status["id"] == id { return }
            if isSecured, try await control.networks(on: interface).contains(where: { $0.id == id && $0.isPaused }) {
                throw .refused(ssid: ssid)
            }
            guard Loop.now < end else { throw .timedOut("Joining \"\(ssid)\"", after: options.timeout) }
            do { try await Loop.sleep(for: .milliseconds(300)) } catch { throw .cancelled }
        }
    }

    func isJoined(_ record: MoveRecord, _ place: WiFiPlace) async throws(WiFiError) -> Bool {
        guard Interface.isUp(place.interface, address: place.address) else { return false }
        let status = try await control.status(on: place.interface)
        return status["wpa_state"] == "COMPLETED"
            && HexName.text(SupplicantText.unescaped(status["ssid"] ?? "")) == record.ssid
    }

    // MARK: And back

    func goBack(_ record: MoveRecord, _ prompt: WiFiPrompt?) async throws(WiFiError) {
        guard let interface = record.interface else { return }
        try await removeOurs(record, on: interface)
        let present = Set(try await control.networks(on: interface).map(\.id))
        if let previous = record.previous, present.contains(previous) {
            try await control.order(["select_network", previous], on: interface)
        }
        // Selecting one has switched all others off.
        for known in record.known where present.contains(known.id) && known.id != record.previous {
            try await control.order([known.isEnabled ? "enable_network" : "disable_network", known.id], on: interface)
        }
        guard record.previous != nil else { return }
        try await awaitHome(interface)
        try await restoreAddresses(record, on: interface)
    }

    /// Removes what we have added: a network that was not there before the move and has the hotspot's name.
    private func removeOurs(_ record: MoveRecord, on interface: String) async throws(WiFiError) {
        let networks = try await control.networks(on: interface)
        let ours = networks.filter { network in
            // One that was added and has no name yet counts, too.
            !record.known.contains { $0.id == network.id } && (network.ssid == record.ssid || network.ssid == nil)
        }
        guard !ours.isEmpty else { return }
        // First, so that a crash in between leaves the network as the sign that the hotspot's address is still there.
        if ours.contains(where: \.isCurrent) { try await flush(interface) }
        for network in ours { try await control.order(["remove_network", network.id], on: interface) }
    }

    private func awaitHome(_ interface: String) async throws(WiFiError) {
        let end = Loop.now + options.timeout
        while try await control.status(on: interface)["wpa_state"] != "COMPLETED" {
            guard Loop.now < end else { throw .timedOut("Joining the home network", after: options.timeout) }
            do { try await Loop.sleep(for: .milliseconds(300)) } catch { throw .cancelled }
        }
    }

    /// Gives the interface the addresses and the route back that it had, unless somebody else has configured it, or the
    /// machine was started anew.
    private func restoreAddresses(_ record: MoveRecord, on interface: String) async throws(WiFiError) {
        guard record.boot == SystemFile.bootID() else { return }
        let present = Interface.addresses(of: interface)
        // An address that was not there before is somebody else's work.
        guard present.allSatisfy({ record.addresses.contains($0) }) else { return }
        for address in record.addresses where !present.contains(address) {
            try await ip(["addr", "replace", address, "dev", interface])
        }
        guard let gateway = record.gateway, !DefaultRoute.all().contains(where: { $0.interface == interface }) else {
            return
        }
        let metric = record.metric.map { ["metric", "\($0)"] } ?? []
        try await ip(["route", "replace", "default", "via", gateway, "dev", interface] + metric)
    }

    private func flush(_ interface: String) async throws(WiFiError) {
        guard !Interface.addresses(of: interface).isEmpty else { return }
        try await ip(["-4", "addr", "flush", "dev", interface])
    }

    private func ip(_ arguments: [String]) async throws(WiFiError) {
        _ = try await programs.text("ip", arguments, deadline: .seconds(5))
    }
}
