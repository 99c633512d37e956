import EventLoop
import HomeModel
import JSON
import TuyaProtocol

/// Takes a device in by its id and local key, after a handshake with it.
@Loop
struct ManualCourse {
    private let input: JSONObject
    private let adapter: TuyaAdapter

    init(_ input: JSONObject, adapter: TuyaAdapter) throws(CommandError) {
        self.input = try Self.form.optional.checked(input)
        self.adapter = adapter
    }

    /// What must be known.
    nonisolated static let form = InputForm(
        title: "The device's id and key",
        why: "Both stand on the vendor's platform, and in the list that tinytuya's wizard writes.",
        fields: [
            InputField("id", title: "Device id", hint: "Usually 20 or 22 characters.", range: 1...64),
            InputField("key", title: "Local key", kind: .password, hint: "16 characters.", range: 1...64),
            InputField("address", title: "Address", hint: "Found by itself where it is empty.", isRequired: false),
            InputField(
                "version",
                title: "Protocol version",
                isRequired: false,
                choices: ["auto", "3.1", "3.2", "3.3", "3.4", "3.5"].map { InputField.Choice($0) }
            ),
            InputField("name", title: "Name", isRequired: false, range: 1...64),
        ]
    )

    func run(_ dialogue: PairingDialogue) async throws(PairingFailure) -> (devices: [VendorID], message: String) {
        dialogue.tell(.preflight, "Checking what was given.")
        let paired = try await order(dialogue)
        guard adapter.config.device(paired.id) == nil else { throw Self.configured }
        dialogue.facts["device"] = .string(paired.id)
        let place = try await find(paired, dialogue)
        dialogue.tell(.handshake, "Agreeing on the key with the device.")
        let (session, watch) = try await shakeHands(paired, place)
        dialogue.tell(.register, "The key fits.")
        adapter.adopt(paired, at: place, session: session)
        let line = adapter.devices[VendorID(paired.id)]?.line
        for (report, origin) in watch.reports { line?.session(session, reported: report, origin) }
        return ([VendorID(paired.id)], "The device is taken in and can be controlled.")
    }

    // MARK: What was given

    private func order(_ dialogue: PairingDialogue) async throws(PairingFailure) -> PairedDevice {
        var input = input
        var error: PairingFailure?
        while true {
            if error == nil, let id = input["id"]?.stringValue, let text = input["key"]?.stringValue {
                do throws(LocalKey.Problem) {
                    var paired = PairedDevice(id: id, key: try LocalKey(text))
                    error = take(input, into: &paired)
                    if error == nil { return paired }
                } catch let problem { error = PairingFailure(problem) }
            }
            let form = Self.form.again(error, after: input)
            error = nil
            input = try await dialogue.ask(form)
        }
    }

    private func take(_ input: JSONObject, into paired: inout PairedDevice) -> PairingFailure? {
        if let address = input["address"]?.stringValue, !address.isEmpty {
            guard SocketAddress(ip: address, port: 0) != nil else {
                return PairingFailure("address_malformed", "The address is none, such as 192.168.1.20.")
            }
            paired.options["address"] = .string(address)
        }
        if let version = input["version"]?.stringValue, version != "auto" {
            paired.options["version"] = .string(version)
        }
        if let name = input["name"]?.stringValue, !name.isEmpty {
            guard let name = DeviceName.cleaned(name) else {
                return PairingFailure("name_malformed", "The name has characters that a name may not have.")
            }
            paired.options["name"] = .string(name)
        }
        return nil
    }

    private static let configured = PairingFailure(
        PairingCode(.conflict),
        "The device stands in the configuration.",
        hint: "Change its key under plugins.tuya.devices and reload the plugin."
    )

    // MARK: The device

    private func find(_ paired: PairedDevice, _ dialogue: PairingDialogue) async throws(PairingFailure)
        -> SocketAddress?
    {
        if paired.options["address"] != nil { return nil }
        if let sighting = adapter.table[paired.id] { return sighting.source }
        if let address = adapter.devices[VendorID(paired.id)]?.line?.session.machine.address { return address }
        dialogue.tell(.findOnLAN, "Looking for the device on the network.")
        guard let place = await adapter.waitForBeacon(of: paired.id, within: adapter.config.pairing.times.findOnLAN)
        else {
            if Task.isCancelled { throw PairingDialogue.cancelled }
            throw PairingFailure(nil as LinkFailure?)
        }
        return place
    }

    /// - Returns: the connection, which stands, and who saw it begin.
    private func shakeHands(_ paired: PairedDevice, _ place: SocketAddress?) async throws(PairingFailure)
        -> (DeviceSession, TrialWatch)
    {
        let id = VendorID(paired.id)
        let session: DeviceSession
        do throws(CommandError) { session = try adapter.makeTrial(paired) } catch { throw PairingFailure(error) }
        let announced = adapter.table[paired.id]?.version
        let isKnown = paired.options["version"] != nil || announced != nil
        let watch = TrialWatch(versionIsKnown: isKnown)
        session.delegate = watch
        // Many devices take one client only.
        adapter.pause(id)
        let port = session.machine.shared.settings.port
        session.sighted(at: place?.with(port: port), version: announced)
        session.start(spread: .zero)
        let times = adapter.config.pairing.times
        let outcome = await watch.outcome.wait(within: isKnown ? times.handshake : times.probing)
        session.delegate = nil
        if case .some(.none) = outcome { return (session, watch) }
        session.stop()
        adapter.resume(id)
        if Task.isCancelled { throw PairingDialogue.cancelled }
        throw PairingFailure((outcome ?? nil) ?? watch.lastFailure)
    }
}
