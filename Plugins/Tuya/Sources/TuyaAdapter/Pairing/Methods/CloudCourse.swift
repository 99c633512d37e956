import EventLoop
import HomeModel
import JSON
import TuyaProtocol

/// Takes in devices that the account has already, with their local keys.
@Loop
struct CloudCourse {
    private let input: JSONObject
    private let adapter: TuyaAdapter
    private static let patience = Duration.seconds(60)
    private static let all = "all"

    init(_ input: JSONObject, adapter: TuyaAdapter) throws(CommandError) {
        self.input = try Self.startForm.checked(input)
        self.adapter = adapter
    }

    nonisolated static let startForm = InputForm(
        title: "Devices of the account",
        fields: [
            InputField(
                "devices",
                title: "Devices",
                hint: "Ids with commas between, or all.",
                isRequired: false,
                range: 1...65_536
            ),
            InputField("confirm", title: "Take them without asking", kind: .flag, isRequired: false),
        ]
    )

    func run(_ dialogue: PairingDialogue) async throws(PairingFailure) -> (devices: [VendorID], message: String) {
        dialogue.tell(.preflight, "Asking the cloud for the account's devices.")
        guard let desk = adapter.desk, let cloud = desk.cloud else { throw PairingDesk.noCloud(.preflight) }
        let all: [CloudDevice]
        do throws(CloudError) { all = try await cloud.devices(within: Self.patience) } catch {
            throw PairingFailure(error, step: .preflight)
        }
        guard !all.isEmpty else {
            throw PairingFailure(
                "no_devices",
                "The account shows no devices.",
                hint: "Link the app account to the cloud project, and check its region."
            )
        }
        var chosen = try await choose(all, dialogue)
        dialogue.tell(.preflight, "Asking the cloud for what the devices can do.")
        var schemas: [String: JSON] = [:]
        for index in chosen.indices where chosen[index].specification == nil {
            let product = chosen[index].productID ?? chosen[index].id
            if schemas[product] == nil {
                schemas[product] = try? await cloud.specification(chosen[index].id, within: Self.patience)
            }
            chosen[index].specification = schemas[product]
            if Task.isCancelled { throw PairingDialogue.cancelled }
        }
        let list = chosen.map { device in (entry: Self.entry(device), id: device.id, name: device.name) }
        let plan = ImportPlan(list, known: adapter.knownForImport)
        let isConfirmed = input["confirm"]?.boolValue ?? (input["devices"] == nil ? nil : true)
        return try await ImportCourse.carryOut(plan, isConfirmed: isConfirmed, adapter, dialogue)
    }

    private static func entry(_ device: CloudDevice) -> Result<ImportEntry, ImportEntry.Problem> {
        if device.isSubDevice {
            guard device.gatewayID != nil, device.nodeID != nil else { return .failure(.noHub) }
            return .success(ImportEntry(PairedDevice(device, key: nil)))
        }
        guard let key = device.localKey else { return .failure(.noKey) }
        return .success(ImportEntry(PairedDevice(device, key: key)))
    }

    private func choose(_ all: [CloudDevice], _ dialogue: PairingDialogue) async throws(PairingFailure) -> [CloudDevice]
    {
        var text = input["devices"]?.stringValue
        var error: PairingFailure?
        while true {
            if let text {
                if text == Self.all { return all }
                let ids = text.split(separator: ",").map { String($0.drop { $0 == " " }) }
                let chosen = all.filter { ids.contains($0.id) }
                if chosen.count == Set(ids).count, !chosen.isEmpty { return chosen }
                error = PairingFailure("device_not_found", "The account has not all of these devices.")
            }
            let choices =
                [InputField.Choice(Self.all, title: "All \(all.count)")]
                + all.map { InputField.Choice($0.id, title: $0.name.isEmpty ? $0.id : "\($0.name) (\($0.id))") }
            let form = InputForm(
                title: "Which devices shall come in?",
                fields: [
                    InputField(
                        "devices",
                        title: "Devices",
                        hint: "One, several ids with commas between, or all.",
                        choices: choices,
                        allowsOther: true
                    )
                ],
                error: error
            )
            text = try await dialogue.ask(form)["devices"]?.stringValue
        }
    }
}
