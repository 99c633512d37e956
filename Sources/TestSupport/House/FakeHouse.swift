import DeviceInterface
package import EventLoop
package import HomeModel
package import Hub
package import JSON
package import Log

/// A hub with one plugin and one lamp that is online.
@Loop
package final class FakeHouse {
    package let store: FakeStore
    package let adapter = ScriptedAdapter()
    package let plugins = FakePlugins()
    package let listener = Listener()
    package let hub: Hub
    package let plugin = PluginID.derived(from: "vendor", isTaken: { _ in false }, digest: { $0 })
    package let lamp = DeviceID.derived(from: "Lamp.1", isTaken: { _ in false }, digest: { $0 })
    package var answers: [CommandAnswer] = [] {
        didSet {
            guard let first = answers.first else { return }
            for waiter in waiters { waiter.resume(returning: first) }
            waiters = []
        }
    }
    private var waiters: [CheckedContinuation<CommandAnswer, Never>] = []

    package init(
        timing: Hub.Timing = Hub.Timing(),
        store: FakeStore = FakeStore(),
        log: Log = Log.discarding()
    ) async {
        self.store = store
        hub = Hub(
            store: store,
            log: log,
            timing: timing,
            digest: { "0123456789abcdef\($0.utf8.count)" },
            clock: { Timestamp(milliseconds: 1_000) }
        )
        plugins.adapters[plugin] = adapter
        plugins.summaries = [
            PluginSummary(
                id: plugin,
                name: "Vendor",
                version: "1",
                state: "running",
                since: Timestamp(milliseconds: 0)
            )
        ]
        plugins.methods[plugin] = [
            PairingMethod(
                "ap",
                title: "Hotspot",
                needs: ["wifi"],
                form: InputForm(
                    title: "Network",
                    fields: [
                        InputField("ssid", title: "Name", isRequired: false),
                        InputField("password", title: "Password", kind: .password, isRequired: false),
                        InputField("token", title: "Token", kind: .password, isRequired: false),
                    ]
                )
            ),
            PairingMethod("manual"),
        ]
        hub.plugins = plugins
        hub.observe(listener)
        let desk = hub.desk(for: plugin)
        desk.deviceDescribed(Self.lamp("Lamp.1"), secrets: Secrets(["local_key": "canary"]))
        desk.deviceConnectivity(VendorID("Lamp.1"), .online)
        await hub.flush()
    }

    package static func lamp(_ id: String) -> DeviceDescription {
        DeviceDescription(
            vendorID: VendorID(id),
            name: "Desk lamp",
            kind: .light,
            properties: [
                PropertyDescription("power", title: "Power", role: .power, schema: .boolean),
                PropertyDescription("brightness", title: "Brightness", role: .brightness, schema: .integer(0...255)),
                PropertyDescription(
                    "color",
                    title: "Colour",
                    role: .color,
                    schema: .object([
                        .init("h", .number(0...360), isRequired: false),
                        .init("s", .number(0...100), isRequired: false),
                    ])
                ),
                PropertyDescription("voltage", title: "Voltage", schema: .number(0...300), access: .readOnly),
                PropertyDescription("control", title: "Control", schema: .string(), access: .writeOnly),
                PropertyDescription("dp_9", title: "9", schema: .any, isExpertOnly: true),
            ],
            actions: [ActionDescription("blink", title: "Blink", input: .object([.init("times", .integer(1...5))]))],
            events: [EventDescription("pressed", title: "Pressed")]
        )
    }

    package func set(_ payload: JSONObject) { hub.set(lamp, payload, source: "test") { self.answers.append($0) } }

    /// The first answer, as soon as there is one.
    package func firstAnswer() async -> CommandAnswer {
        if let first = answers.first { return first }
        return await withCheckedContinuation { waiters.append($0) }
    }

    package func report(_ state: JSONObject) {
        hub.desk(for: plugin).deviceReported(
            StateReport(device: VendorID("Lamp.1"), state: state, at: Timestamp(milliseconds: 2_000))
        )
    }

    package func acknowledge(_ stage: CommandStage = .acknowledged) {
        adapter.writes.removeFirst().reply(.success(WriteReceipt(stage: stage)))
    }

    package func request(_ path: String, _ payload: RequestPayload = .empty) async -> RequestAnswer {
        await withCheckedContinuation { continuation in
            hub.requests.handle(path, payload) { continuation.resume(returning: $0) }
        }
    }
}
