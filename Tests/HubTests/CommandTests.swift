import DeviceInterface
import EventLoop
import HomeModel
import Hub
import JSON
import TestSupport
import Testing

@Loop
@Suite("Commands through the hub", .timeLimit(.minutes(1)))
struct CommandTests {
    @Test("a set is confirmed when the device reports the value, and the state is told before the answer")
    func confirmed() async {
        let house = await FakeHouse()
        house.set(["power": true])
        #expect(house.adapter.writes.map(\.request.values) == [["power": true]])
        house.acknowledge()
        #expect(house.answers.isEmpty)
        house.report(["power": true])
        #expect(house.answers == [.written(stage: .confirmed, applied: ["power": true], ignored: [])])
        #expect(house.listener.lines.last?.contains("\"power\":true") == true)
        #expect(house.store.traces.map(\.outcome) == ["confirmed"])
    }

    @Test("a report that comes before the acknowledgement confirms, too")
    func reportFirst() async {
        let house = await FakeHouse()
        house.set(["power": true])
        house.report(["power": true])
        house.acknowledge()
        #expect(house.answers == [.written(stage: .confirmed, applied: ["power": true], ignored: [])])
    }

    @Test("a number is confirmed by an equal number, and an object by the members that were asked for")
    func matching() async {
        let house = await FakeHouse()
        house.set(["color": ["h": 30], "brightness": 10])
        house.acknowledge()
        house.report(["color": ["h": 30.0, "s": 80], "brightness": 10])
        #expect(house.answers.count == 1)
    }

    @Test("without a report the value is published as assumed, then the answer says acknowledged")
    func silentDevice() async throws {
        var timing = Hub.Timing()
        timing.assume = .milliseconds(5)
        timing.confirm = .milliseconds(30)
        let house = await FakeHouse(timing: timing)
        house.report(["power": false])
        house.set(["power": true])
        house.acknowledge()
        let answer = await house.firstAnswer()
        #expect(answer == .written(stage: .acknowledged, applied: ["power": true], ignored: []))
        #expect(house.listener.lines.contains { $0.contains("\"power\":true") && $0.contains("assumed") })
    }

    @Test("a value that the device contradicts is not assumed")
    func contradicted() async throws {
        var timing = Hub.Timing()
        timing.assume = .milliseconds(5)
        timing.confirm = .milliseconds(30)
        let house = await FakeHouse(timing: timing)
        house.report(["power": false])
        house.set(["power": true])
        house.acknowledge()
        house.report(["power": false])
        #expect(await house.firstAnswer() == .written(stage: .acknowledged, applied: ["power": true], ignored: []))
        #expect(house.hub.device(house.lamp)?.state["power"] == false)
        #expect(house.hub.device(house.lamp)?.source == .reported)
    }

    @Test("a write that was only sent and never reported is a timeout, not a success")
    func onlySent() async {
        var timing = Hub.Timing()
        timing.confirm = .milliseconds(5)
        let house = await FakeHouse(timing: timing)
        house.set(["power": true])
        house.acknowledge(.sent)
        let answer = await house.firstAnswer()
        guard case .failed(let error) = answer else { Issue.record("\(answer)"); return }
        #expect(error.code == .timeout)
    }

    @Test("what the device never reports is answered by its acknowledgement")
    func writeOnly() async {
        let house = await FakeHouse()
        house.set(["control": "x"])
        house.acknowledge()
        #expect(house.answers == [.written(stage: .acknowledged, applied: ["control": "x"], ignored: [])])
    }

    @Test("while a write is under way the newest value of each property waits and older ones are superseded")
    func superseded() async {
        let house = await FakeHouse()
        house.set(["brightness": 1])
        house.set(["brightness": 2])
        house.set(["brightness": 3, "power": true])
        #expect(house.answers == [.written(stage: .superseded, applied: [:], ignored: [])])
        #expect(house.adapter.writes.count == 1)
        house.acknowledge(.confirmed)
        #expect(house.adapter.writes.map(\.request.values) == [["brightness": 3, "power": true]])
        house.acknowledge(.confirmed)
        #expect(house.answers.count == 3)
    }

    @Test("waiting commands for different properties go out as one unit, and each gets its own answer")
    func merged() async {
        let house = await FakeHouse()
        house.set(["brightness": 1])
        house.set(["power": true])
        house.set(["color": ["h": 1]])
        house.acknowledge(.confirmed)
        #expect(house.adapter.writes.map(\.request.values) == [["power": true, "color": ["h": 1]]])
        house.adapter.writes.removeFirst().reply(.failure(CommandError(.timeout, "late")))
        #expect(house.answers.count == 3)
        #expect(
            house.answers.dropFirst().allSatisfy {
                if case .failed(let error) = $0 { error.code == .timeout } else { false }
            }
        )
    }

    @Test(
        "what cannot be is refused with its code and nothing is written",
        arguments: [
            (#"{"nope":1}"#, ErrorCode.propertyUnknown), (#"{"voltage":230}"#, .readOnly),
            (#"{"dp_9":1}"#, .expertOnly), (#"{"brightness":256}"#, .valueOutOfRange),
            (#"{"brightness":"x"}"#, .badRequest), ("{}", .badRequest), (#"{"color":{"h":400}}"#, .valueOutOfRange),
            (#"{"color":{"x":1}}"#, .badRequest), (#"{"power":true,"brightness":-1}"#, .valueOutOfRange),
            (#"{"transition":1}"#, .badRequest),
        ]
    )
    func refused(payload: String, code: ErrorCode) async throws {
        let house = await FakeHouse()
        house.set(try #require(try JSON.parse(payload).objectValue))
        guard case .failed(let error)? = house.answers.first else { Issue.record("\(house.answers)"); return }
        #expect(error.code == code)
        #expect(house.adapter.writes.isEmpty)
    }

    @Test("clamp takes the nearest value, expert opens what is closed, transition is named as ignored")
    func options() async {
        let house = await FakeHouse()
        house.set(["brightness": 300, "clamp": true, "dp_9": "x", "expert": true, "transition": 2])
        #expect(house.adapter.writes.map(\.request.values) == [["brightness": 255, "dp_9": "x"]])
        house.acknowledge(.confirmed)
        #expect(
            house.answers == [
                .written(stage: .confirmed, applied: ["brightness": 255, "dp_9": "x"], ignored: ["transition"])
            ]
        )
    }

    @Test(
        "a device that cannot be reached answers at once, with the reason's code",
        arguments: [
            (Connectivity.Reason.unreachable, ErrorCode.deviceOffline), (.keyChanged, .keyChanged),
            (.heldByOtherClient, .deviceBusy), (.pluginDown, .pluginDown), (.unsupportedProtocol, .unsupportedProtocol),
        ]
    )
    func unreachable(reason: Connectivity.Reason, code: ErrorCode) async {
        let house = await FakeHouse()
        house.hub.desk(for: house.plugin).deviceConnectivity(
            VendorID("Lamp.1"),
            Connectivity(isOnline: false, reason: reason)
        )
        house.set(["power": true])
        guard case .failed(let error)? = house.answers.first else { Issue.record("no answer"); return }
        #expect(error.code == code)
        #expect(house.adapter.writes.isEmpty)
    }

    @Test("a get merges what it read and answers with the whole state")
    func get() async {
        let house = await FakeHouse()
        house.report(["power": true])
        house.hub.get(house.lamp, properties: nil) { house.answers.append($0) }
        house.adapter.reads.removeFirst().reply(
            .success(ReadResult(state: ["brightness": 7], at: Timestamp(milliseconds: 3_000)))
        )
        guard case .state(let state)? = house.answers.first else { Issue.record("\(house.answers)"); return }
        #expect(state["power"] == true)
        #expect(state["brightness"] == 7)
    }

    @Test("an action's input is checked and its output is the answer")
    func action() async {
        let house = await FakeHouse()
        house.hub.invoke(house.lamp, action: "blink", input: ["times": 9], source: "test") { house.answers.append($0) }
        house.hub.invoke(house.lamp, action: "fly", input: .null, source: "test") { house.answers.append($0) }
        #expect(house.adapter.invocations.isEmpty)
        house.hub.invoke(house.lamp, action: "blink", input: ["times": 2], source: "test") { house.answers.append($0) }
        house.adapter.invocations.removeFirst().reply(.success("done"))
        #expect(house.answers.last == .output("done"))
        #expect(house.answers.count == 3)
    }

    @Test("a lane that is full refuses instead of growing")
    func fullLane() async {
        let house = await FakeHouse()
        house.hub.desk(for: house.plugin).deviceDescribed(
            DeviceDescription(
                vendorID: VendorID("wide"),
                name: "Wide",
                properties: (0..<150).map { PropertyDescription("p\($0)", title: "", schema: .any) }
            ),
            secrets: nil
        )
        house.hub.desk(for: house.plugin).deviceConnectivity(VendorID("wide"), .online)
        let wide = house.hub.devices[1].id
        for number in 0..<150 {
            house.hub.set(wide, ["p\(number)": 1], source: "test") { house.answers.append($0) }
        }
        #expect(house.answers.count == 49)
        // What waits holds its callers; a device that goes lets them go.
        house.adapter.writes.removeAll()
        _ = await house.request("device/remove", .text("wide"))
        #expect(house.answers.count == 149)
    }
}
