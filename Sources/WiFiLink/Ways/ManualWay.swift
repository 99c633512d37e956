import EventLoop
import HomeModel
import Hub
import JSON

/// Lets a person move the radio, and looks whether it moved.
@Loop
final class ManualWay: WiFiWay {
    nonisolated let name = WiFiOptions.Way.manual.rawValue
    private let options: WiFiOptions

    init(_ options: WiFiOptions) { self.options = options }

    func radio() throws(WiFiError) -> String {
        guard let interface = options.interface ?? Interface.wireless().first else {
            throw .noRadio("There is no Wi-Fi interface.")
        }
        return interface
    }

    func origin(of move: WiFiMove) -> MoveRecord {
        var record = MoveRecord(way: name, session: move.session, ssid: move.ssid)
        // Without a name, every interface is looked at.
        record.interface = try? radio()
        record.addresses = Interface.addresses(of: record.interface)
        return record
    }

    func scan() throws(WiFiError) -> [WiFiSighting] { throw .cannotScan(way: name) }

    func join(_ move: WiFiMove, from record: MoveRecord) async throws(WiFiError) -> WiFiPlace {
        let interface = record.interface.map { "this machine's interface \($0)" } ?? "this machine"
        var form = InputForm(
            title: "Join \"\(move.ssid)\"",
            why: "Join \(move.ssid) on \(interface), then answer continue."
        )
        var wasAskedTwice = false
        while true {
            _ = try await ask(move.prompt, form)
            // What was there at the beginning counts the second time: the person may have been quicker than we.
            if let place = place(record, orElse: wasAskedTwice) { return place }
            wasAskedTwice = true
            form.error = PairingFailure(
                .hotspotJoinFailed,
                "\(record.interface ?? "No interface") has no new address.",
                hint: "Wait until the system shows it as connected; if it is, just continue."
            )
        }
    }

    func goBack(_ record: MoveRecord, _ prompt: WiFiPrompt?) async throws(WiFiError) {
        if Self.isBack(record) == true { return }
        guard let prompt else {
            // Nobody to ask, and nothing to see it by.
            if Self.isBack(record) == nil { return }
            throw .notMoved(Self.stillAway(record))
        }
        let interface = record.interface.map { "this machine's interface \($0)" } ?? "this machine"
        var form = InputForm(
            title: "Go back to the home network",
            why: "Join the home network on \(interface) again, then answer continue."
        )
        repeat {
            _ = try await ask(prompt, form)
            form.error = PairingFailure(.noRadio, Self.stillAway(record))
        } while Self.isBack(record) == false
    }

    func isJoined(_ record: MoveRecord, _ place: WiFiPlace) -> Bool {
        Interface.isUp(place.interface, address: place.address)
    }

    /// Whether the radio is back, as far as addresses tell; nil where they are the same here and there.
    private static func isBack(_ record: MoveRecord) -> Bool? {
        let present = Interface.addresses(of: record.interface)
        guard let joined = record.joined else {
            // It may not have moved at all.
            return record.addresses.isEmpty ? present.isEmpty : record.addresses.contains { present.contains($0) }
        }
        guard !record.addresses.contains(joined) else { return nil }
        return !present.contains(joined) && (record.addresses.isEmpty || !present.isEmpty)
    }

    private static func stillAway(_ record: MoveRecord) -> String {
        "\(record.interface ?? "The radio") is not back from \"\(record.ssid)\"."
    }

    private func place(_ record: MoveRecord, orElse: Bool) -> WiFiPlace? {
        let entries = Interface.entries(of: record.interface).filter(\.isUp)
        func text(_ entry: NetworkInterface) -> String {
            "\(SocketAddress(ipv4: entry.ipv4, port: 0).ip)/\(entry.netmask.nonzeroBitCount)"
        }
        let new = entries.first { !record.addresses.contains(text($0)) }
        guard let entry = new ?? (orElse && record.interface != nil ? entries.first : nil) else { return nil }
        return WiFiPlace(
            interface: entry.name,
            address: SocketAddress(ipv4: entry.ipv4, port: 0).ip,
            prefix: entry.netmask.nonzeroBitCount,
            gateway: DefaultRoute.all().first { $0.interface == entry.name }?.gateway
        )
    }

    private func ask(_ prompt: WiFiPrompt, _ form: InputForm) async throws(WiFiError) -> JSONObject {
        do throws(CommandError) {
            return try await prompt(form)
        } catch {
            throw Task.isCancelled ? .cancelled : .unanswered(error)
        }
    }
}
