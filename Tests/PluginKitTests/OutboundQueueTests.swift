import HomeModel
import JSON
import PluginKit
import PluginWire
import Testing

@Suite("OutboundQueue")
struct OutboundQueueTests {
    private static let one = VendorID("one")
    private static let two = VendorID("two")

    private static func state(_ device: VendorID, _ sequence: Int64, _ state: JSONObject) -> Report {
        .state(StateNote(device: device, sequence: sequence, at: Timestamp(milliseconds: sequence), state: state))
    }

    private static func event(_ device: VendorID, _ sequence: Int64) -> Report {
        .event(
            EventNote(device: device, sequence: sequence, at: Timestamp(milliseconds: 0), event: "e", data: .null)
        )
    }

    private static func connectivity(_ device: VendorID, _ isOnline: Bool) -> Report {
        .connectivity(ConnectivityNote(device: device, connectivity: Connectivity(isOnline: isOnline)))
    }

    /// Everything that waits, as notifications.
    private static func drained(_ queue: inout OutboundQueue) throws -> [PluginNote] {
        var notes: [PluginNote] = []
        while let line = queue.pop() {
            guard case .notification(let method, let params) = try WireMessage(line: line.dropLast()) else { continue }
            notes.append(try #require(try PluginNote(method: method, params: params)))
        }
        #expect(queue.isEmpty)
        return notes
    }

    @Test("states of a device become one, the newest value of each property")
    func coalesced() throws {
        var queue = OutboundQueue()
        queue.push(Self.state(Self.one, 1, ["power": true, "brightness": 1]))
        queue.push(Self.state(Self.two, 2, ["power": false]))
        queue.push(Self.state(Self.one, 3, ["brightness": 2]))
        #expect(
            try Self.drained(&queue) == [
                .state(
                    StateNote(
                        device: Self.one,
                        sequence: 3,
                        at: Timestamp(milliseconds: 3),
                        state: ["power": true, "brightness": 2]
                    )
                ),
                .state(
                    StateNote(
                        device: Self.two,
                        sequence: 2,
                        at: Timestamp(milliseconds: 2),
                        state: ["power": false]
                    )
                ),
            ]
        )
    }

    @Test("what came after an event of the device does not overtake it")
    func orderAroundEvents() throws {
        var queue = OutboundQueue()
        queue.push(Self.state(Self.one, 1, ["power": true]))
        queue.push(Self.event(Self.one, 2))
        queue.push(Self.state(Self.one, 3, ["brightness": 2]))
        queue.push(Self.state(Self.one, 4, ["brightness": 3]))
        let notes = try Self.drained(&queue)
        #expect(notes.count == 2)
        guard case .event = notes.first, case .state(let state)? = notes.last else {
            Issue.record("\(notes)")
            return
        }
        #expect(state.state == ["power": true, "brightness": 3])
        #expect(state.sequence == 4)
    }

    @Test("connectivity, description and status: the newest wins")
    func latest() throws {
        var queue = OutboundQueue()
        queue.push(
            .described(
                DescribedNote(
                    description: DeviceDescription(vendorID: Self.one, name: "A"),
                    secrets: Secrets(["k": "1", "m": "2"])
                ),
                isNew: true
            )
        )
        queue.push(Self.connectivity(Self.one, true))
        queue.push(.status(StatusNote(state: "degraded")))
        queue.push(
            .described(
                DescribedNote(
                    description: DeviceDescription(vendorID: Self.one, name: "B"),
                    secrets: Secrets(["k": "3"])
                ),
                isNew: false
            )
        )
        queue.push(Self.connectivity(Self.one, false))
        queue.push(.status(StatusNote(state: "ok")))
        #expect(
            try Self.drained(&queue) == [
                .status(StatusNote(state: "ok")),
                .added(
                    DescribedNote(
                        description: DeviceDescription(vendorID: Self.one, name: "B"),
                        secrets: Secrets(["k": "3", "m": "2"])
                    )
                ),
                .connectivity(ConnectivityNote(device: Self.one, connectivity: Connectivity(isOnline: false))),
            ]
        )
    }

    @Test("a removed device takes what waits of it along, but for its events")
    func removed() throws {
        var queue = OutboundQueue()
        queue.push(Self.state(Self.one, 1, ["power": true]))
        queue.push(Self.event(Self.one, 2))
        queue.push(Self.connectivity(Self.one, true))
        queue.push(.removed(Self.one))
        queue.push(Self.state(Self.one, 3, ["power": false]))
        let notes = try Self.drained(&queue)
        #expect(notes.count == 3)
        #expect(notes.dropFirst().first == .removed(Self.one))
    }

    @Test("of events the newest thousand are kept and the dropped ones counted")
    func events() throws {
        var queue = OutboundQueue()
        for number in 1...2500 { queue.push(Self.event(Self.one, Int64(number))) }
        #expect(queue.count == OutboundQueue.eventLimit)
        #expect(queue.takeDropped().events == 1500)
        #expect(queue.takeDropped().events == 0)
        let sequences = try Self.drained(&queue).map { note in
            if case .event(let event) = note { event.sequence } else { Int64(0) }
        }
        #expect(sequences == Array(1501...2500))
    }

    @Test("progress of pairing sessions never becomes one, and stays behind what was told of its devices")
    func progress() throws {
        let session = try #require(PairingID("p-1"))
        let named = { (name: String) in
            Report.described(
                DescribedNote(description: DeviceDescription(vendorID: Self.one, name: name)),
                isNew: name == "first"
            )
        }
        var queue = OutboundQueue()
        queue.push(named("first"))
        queue.push(Self.event(Self.one, 1))
        for percent in 0..<2000 {
            queue.push(.progress(ProgressNote(PairingProgress(session: session, step: "a", percent: percent % 100))))
        }
        let end = PairingProgress(session: session, state: .succeeded, step: "a", devices: [Self.one])
        queue.push(.progress(ProgressNote(end)))
        queue.push(Self.event(Self.one, 2))
        queue.push(named("second"))
        queue.push(Self.connectivity(Self.one, true))
        queue.push(named("third"))
        let notes = try Self.drained(&queue)
        #expect(notes.filter { if case .progress = $0 { true } else { false } }.count == 2001)
        let order = notes.compactMap { note -> String? in
            switch note {
            case .added(let note), .changed(let note): note.description.name
            case .progress(let note) where note.progress.state.isFinal: "end"
            default: nil
            }
        }
        #expect(order == ["first", "end", "third"])
        // The slots are free again.
        queue.push(named("fourth"))
        queue.push(named("fifth"))
        #expect(try Self.drained(&queue).count == 1)
    }

    @Test("lines never drop, and stay in order among reports")
    func lines() {
        var queue = OutboundQueue()
        for number in 0..<3000 {
            queue.push(line: [UInt8(number % 251)])
            queue.push(Self.state(Self.one, Int64(number), ["n": JSON(number)]))
            queue.push(Self.event(Self.one, Int64(number)))
        }
        #expect(queue.count == 3000 + 1 + OutboundQueue.eventLimit)
        var lines: [UInt8] = []
        while let line = queue.pop() { if line.count == 1 { lines += line } }
        #expect(lines == (0..<3000).map { UInt8($0 % 251) })
    }

    @Test("a flood without end takes no more memory")
    func bounded() {
        var queue = OutboundQueue()
        for number in 0..<50_000 {
            queue.push(Self.state(VendorID("d\(number % 10)"), Int64(number), ["n": JSON(number)]))
            queue.push(Self.connectivity(VendorID("d\(number % 10)"), number % 2 == 0))
            if number % 1000 == 999 { _ = queue.pop() }
        }
        #expect(queue.count <= 20)
    }
}
