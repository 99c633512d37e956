import EventLoop
import HomeModel
import JSON
import Testing
import TuyaAdapter
import TuyaProtocol

/// A machine with a clock, a radio, a device and a cloud in the test's hands.
struct HotspotRig {
    static let session = PairingID("p-1") ?? { preconditionFailure("p-1 is an id") }()
    static let token = "EUaBcDeFgHw1X2"
    static let uuid = "f1e2d3c4b5a697887766"
    static let id = "bf0123456789abcdefgh"
    static let hotspot = "SmartLife-3F2A"
    static let plusPlace = WiFiPlace(interface: "wlan0", address: "192.168.176.2", prefix: 24, gateway: "192.168.176.1")
    static let legacyPlace = WiFiPlace(
        interface: "wlan0",
        address: "192.168.175.2",
        prefix: 24,
        gateway: "192.168.175.1"
    )

    var machine: HotspotMachine
    var now = MonotonicTime(nanoseconds: 1_000_000_000)
    /// What the machine wanted since the start.
    private(set) var effects: [HotspotEffect] = []
    /// What it wanted in answer to the last event.
    private(set) var last: [HotspotEffect] = []

    init(
        _ method: TuyaPairingMethod,
        hasCloud: Bool = true,
        settings: PairingSettings = PairingSettings(),
        _ prepare: (inout HotspotOrder) -> Void = { _ in }
    ) {
        var order = HotspotOrder(session: Self.session, method: method, hasCloud: hasCloud)
        prepare(&order)
        machine = HotspotMachine(order, settings: settings)
        machine.start(at: now)
        take()
    }

    private mutating func take() {
        last = machine.drain()
        effects += last
    }

    mutating func handle(_ event: PairingEvent) {
        machine.handle(event, at: now)
        take()
    }

    /// Lets time pass, with every deadline on the way.
    mutating func wait(_ duration: Duration) {
        let end = now + duration
        var wanted: [HotspotEffect] = []
        while let deadline = machine.deadline, deadline <= end {
            now = max(now, deadline)
            machine.timeout(at: now)
            take()
            wanted += last
        }
        now = end
        last = wanted
    }

    mutating func stop() {
        machine.stop()
        take()
    }

    // MARK: What it told

    var told: [PairingProgress] {
        effects.compactMap { effect in
            if case .tell(let progress) = effect { progress } else { nil }
        }
    }
    var state: PairingProgress.State? { told.last?.state }
    var failure: PairingFailure? { told.last?.failure }
    var form: InputForm? { told.last?.needsInput }
    /// The steps that were told, each once.
    var walked: [String] {
        var walked: [String] = []
        for progress in told where walked.last != progress.step { walked.append(progress.step) }
        return walked
    }

    /// Bodies of the frames with credentials.
    var credentials: [JSON] {
        effects.compactMap { effect in
            guard case .send(.hotspotCredentials, let body) = effect else { return nil }
            return try? JSON.parse(body)
        }
    }
    var datagrams: Int {
        effects.count { effect in
            if case .datagram = effect { true } else { false }
        }
    }

    func wanted(_ effect: HotspotEffect) -> Bool { last.contains(effect) }
    func count(_ effect: HotspotEffect) -> Int { effects.count { $0 == effect } }

    // MARK: Events in the usual course

    mutating func giveToken(_ text: String = HotspotRig.token, lifetime: Duration = .seconds(600)) throws {
        let token = try #require(PairingToken(text))
        handle(.token(.success(PairingTicket(token: token, home: nil, lifetime: lifetime, asked: now))))
    }

    mutating func seeHotspots(_ names: [String] = [HotspotRig.hotspot]) {
        handle(.scanned(.success(names.map { WiFiSighting(ssid: $0, signal: -40, frequency: 2437, isSecured: false) })))
    }

    mutating func answerQuery(
        active: Int? = 0,
        uuid: String? = HotspotRig.uuid,
        level: Int = 0,
        extra: JSONObject = ["apConfigType": 1]
    ) {
        var data: JSONObject = ["ip": "192.168.176.1", "version": "3.5", "sl": JSON(level)]
        if let active { data["active"] = JSON(active) }
        if let uuid { data["uuid"] = .string(uuid) }
        for (key, value) in extra { data[key] = value }
        let body: JSON = ["reqType": "query_dev_rpt", "data": .object(data)]
        handle(.frame(.hotspotExtension, returnCode: 0, body: body.serialized()))
    }

    mutating func answerList(_ text: String) {
        let body = #"{"reqType":"wifi_list_rpt","data":{"wifi_list":["# + text + "]}}"
        handle(.frame(.hotspotExtension, returnCode: 0, body: [UInt8](body.utf8)))
    }

    static let list =
        #"{"ssid":"Cafe","rssi":-71,"sec":0},{"ssid":"HomeNet","rssi":-41,"sec":4},{"ssid":"HomeNet","rssi":-60,"sec":4}"#

    /// New process: from the start to the open question for the network.
    mutating func reachQuestion() throws {
        try giveToken()
        seeHotspots()
        handle(.joined(.success(Self.plusPlace)))
        handle(.channelUp)
        answerQuery()
        answerList(Self.list)
    }

    mutating func answerNetwork(_ ssid: String? = "HomeNet", _ password: String = "correct horse") {
        var input: JSONObject = ["password": .string(password)]
        input["ssid"] = ssid.map { .string($0) }
        do throws(CommandError) {
            handle(.answer(try machine.checked(input)))
        } catch {
            Issue.record("the form refused the answer: \(error.message)")
        }
    }

    /// New process: until the device has taken the credentials and the radio is home.
    mutating func reachWaiting() throws {
        try reachQuestion()
        answerNetwork()
        handle(.frame(.hotspotCredentials, returnCode: 0, body: []))
        handle(.left(nil))
    }

    /// Old process: until datagrams go out.
    mutating func reachSending() throws {
        try giveToken()
        if machine.phase == .asking(.network) { answerNetwork() }
        seeHotspots()
        handle(.joined(.success(Self.legacyPlace)))
    }

    mutating func pairInCloud() throws {
        handle(.polled(.success(.paired(deviceIDs: [Self.id], failures: []))))
        handle(.described(.success(Self.device), mayRepeat: false))
    }

    static var device: CloudDevice {
        var device = CloudDevice(id: id, name: "Lamp", localKey: try? LocalKey("p'&T=5-4u#Xq!a0Z"))
        device.category = "dj"
        return device
    }

    static func sighting(
        _ id: String = HotspotRig.id,
        uuid: String? = HotspotRig.uuid,
        active: Bool = true,
        level: Int? = nil,
        isOld: Bool = false
    ) -> LANSighting {
        var fields: JSONObject = ["gwId": .string(id), "active": active ? 2 : 0, "version": "3.5"]
        fields["uuid"] = uuid.map { .string($0) }
        fields["sl"] = level.map { JSON($0) }
        let beacon = Beacon(framing: .sealed, command: .announcement, fields: fields)
        return LANSighting(
            beacon,
            id: id,
            from: SocketAddress(ip: "192.168.1.50", port: 6667) ?? .loopback(port: 0),
            isOld: isOld
        )
    }
}
