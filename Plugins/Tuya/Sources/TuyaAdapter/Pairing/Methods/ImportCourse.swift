import EventLoop
import Glibc
import HomeModel
import JSON
import TuyaProtocol

/// Takes devices in from a list with their keys, or gives devices that are there new keys.
@Loop
struct ImportCourse {
    private let input: JSONObject
    private let adapter: TuyaAdapter

    init(_ input: JSONObject, adapter: TuyaAdapter) throws(CommandError) {
        self.input = try Self.startForm.checked(input)
        self.adapter = adapter
    }

    /// What may be given at the start.
    nonisolated static let startForm = InputForm(
        title: "A list of devices",
        why: "The devices.json that tinytuya's wizard writes: its path on the gateway, or its text.",
        fields: [
            InputField("path", title: "Path of the file", isRequired: false, range: 1...1024),
            InputField("json", title: "The list itself", kind: .password, isRequired: false),
            InputField("confirm", title: "Take it without asking", kind: .flag, isRequired: false),
        ]
    )

    nonisolated static let confirmForm = InputForm(
        title: "Take these devices?",
        fields: [InputField("confirm", title: "Yes", kind: .flag)]
    )

    /// Lists are short; this is that of a thousand devices with their mappings, and more.
    private nonisolated static let limit = 8 << 20

    func run(_ dialogue: PairingDialogue) async throws(PairingFailure) -> (devices: [VendorID], message: String) {
        dialogue.tell(.preflight, "Reading the list.")
        let list = try await list(dialogue)
        let plan = ImportPlan(list, known: adapter.knownForImport)
        return try await Self.carryOut(plan, isConfirmed: input["confirm"]?.boolValue, adapter, dialogue)
    }

    /// Shows what will happen, asks, and does it.
    static func carryOut(
        _ plan: ImportPlan,
        isConfirmed: Bool?,
        _ adapter: TuyaAdapter,
        _ dialogue: PairingDialogue
    ) async throws(PairingFailure) -> (devices: [VendorID], message: String) {
        dialogue.facts["table"] = plan.table
        guard !plan.devices.isEmpty else {
            if plan.rows.isEmpty { throw PairingFailure("list_empty", "The list has no devices.") }
            return ([], "Nothing is new. " + plan.words)
        }
        if isConfirmed != true {
            var form = confirmForm
            form.why = plan.words
            let answer = try await dialogue.ask(form)
            guard answer["confirm"]?.boolValue == true else { return ([], "Nothing was taken, as was answered.") }
        }
        dialogue.tell(.register, "Taking the devices in.")
        for device in plan.devices {
            adapter.adopt(device, at: nil, session: nil)
            // A long list must not hold the loop up.
            await Task.yield()
            if Task.isCancelled { throw PairingDialogue.cancelled }
        }
        let counts = plan.counts
        return (
            plan.devices.map { VendorID($0.id) },
            "\(counts.added) added, \(counts.changed) changed, \(counts.skipped) skipped."
        )
    }

    // MARK: Reading

    private typealias List = [(entry: Result<ImportEntry, ImportEntry.Problem>, id: String, name: String)]

    private func list(_ dialogue: PairingDialogue) async throws(PairingFailure) -> List {
        var input = input
        while true {
            var error: PairingFailure?
            if let text = input["json"]?.stringValue, !text.isEmpty {
                do throws(PairingFailure) { return try Self.parse([UInt8](text.utf8)) } catch let failure {
                    error = failure
                }
            } else if let path = input["path"]?.stringValue, !path.isEmpty {
                do throws(PairingFailure) { return try await Self.parse(Self.read(path)) } catch let failure {
                    error = failure
                }
            }
            var form = Self.startForm
            form.fields.removeAll { $0.name == "confirm" }
            form.error = error
            input = try await dialogue.ask(form)
        }
    }

    private static func parse(_ bytes: [UInt8]) throws(PairingFailure) -> List {
        var limits = JSONLimits.standard
        limits.maxBytes = limit
        let json: JSON
        do {
            json = try JSON.parse(bytes, limits: limits)
        } catch {
            throw PairingFailure("list_unreadable", "The list is no JSON, at byte \(error.offset).")
        }
        guard let list = ImportEntry.list(json) else {
            throw PairingFailure("list_unreadable", "There is no list of devices in it.")
        }
        return list
    }

    private static func read(_ path: String) async throws(PairingFailure) -> [UInt8] {
        let result = try? await Loop.offload { readWhole(path) }
        switch result {
        case .success(let bytes)?: return bytes
        case .failure(let code)?:
            throw PairingFailure(
                "list_unreadable",
                "The file cannot be read: \(String(cString: strerror(code.rawValue)))."
            )
        case nil: throw PairingDialogue.cancelled
        }
    }

    private struct SystemCode: Error { let rawValue: Int32 }

    private nonisolated static func readWhole(_ path: String) -> Result<[UInt8], SystemCode> {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return .failure(SystemCode(rawValue: errno)) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= limit {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0 { return .failure(SystemCode(rawValue: errno)) }
            if count == 0 { return .success(bytes) }
            bytes += chunk[..<count]
        }
        return .failure(SystemCode(rawValue: EFBIG))
    }
}
