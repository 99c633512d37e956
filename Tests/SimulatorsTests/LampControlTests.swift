import EventLoop
import JSON
import Simulators
import Testing
import TuyaProtocol

@Suite("The control channel of simulated lamps", .timeLimit(.minutes(1)))
@Loop
struct LampControlTests {
    let house: TuyaLampHouse
    let control: LampControl

    init() throws {
        var plan = HousePlan()
        plan.count = 3
        house = try TuyaLampHouse(plan)
        control = LampControl(house)
    }

    private func answer(_ line: String) throws -> JSON { try JSON.parse(control.perform(line)) }

    @Test("sets values of one lamp, named by number or id, or of all")
    func set() throws {
        #expect(try answer(#"{"lamp":2,"set":{"20":false}}"#)["ok"] == true)
        #expect(house.lamps.map { $0.values[20] } == [true, false, true])
        _ = try answer(#"{"lamp":"\#(house.lamps[2].identity.id)","change":{"20":false}}"#)
        #expect(house.lamps.map { $0.values[20] } == [true, false, false])
        _ = try answer(#"{"lamp":"all","set":{"22":77}}"#)
        #expect(house.lamps.allSatisfy { $0.values[22] == 77 })
    }

    @Test("switches faults on and off")
    func faults() throws {
        _ = try answer(#"{"lamp":1,"fault":"delay","ms":250}"#)
        #expect(house.lamps[0].faults.delay == .milliseconds(250))
        _ = try answer(#"{"lamp":1,"fault":"silent"}"#)
        _ = try answer(#"{"lamp":1,"fault":"silent","on":false}"#)
        #expect(!house.lamps[0].faults.isSilent)
        #expect(house.lamps[0].faults != LampFaults())
        _ = try answer(#"{"lamp":1,"fault":"none"}"#)
        #expect(house.lamps[0].faults == LampFaults())
    }

    @Test("shows what a lamp is and holds")
    func show() throws {
        let lamp = try answer(#"{"lamp":1,"show":true}"#)["lamps"]?[0]
        #expect(lamp?["id"]?.stringValue == house.lamps[0].identity.id)
        #expect(lamp?["values"]?["20"] == true)
        #expect(lamp?["healthy"] == true)
    }

    @Test("lists every fault it takes in its help")
    func help() {
        let help = control.perform("help")
        for name in ["drop", "split", "merge", "garbage", "repair", "move", "reboot", "silent", "late_copies"] {
            #expect(help.contains("\"fault\":\"\(name)\""))
        }
    }

    @Test(
        "says what is wrong with a line, and changes nothing",
        arguments: [
            "", "{", "[]", "{}", #"{"lamp":0,"set":{}}"#, #"{"lamp":4,"set":{}}"#, #"{"lamp":"x","set":{}}"#,
            #"{"lamp":1}"#, #"{"lamp":1,"fault":"fire"}"#, #"{"lamp":1,"fault":"delay"}"#,
            #"{"lamp":1,"fault":"delay","ms":-1}"#, #"{"lamp":1,"fault":"repair","key":"short"}"#,
            #"{"lamp":1,"fault":"move","address":"nowhere"}"#, #"{"lamp":1,"fault":"status","answer":"42"}"#,
        ]
    )
    func errors(line: String) throws {
        let reply = try answer(line)
        #expect(reply["ok"] == false)
        #expect(reply["error"]?.stringValue?.isEmpty == false)
        #expect(house.lamps.allSatisfy { $0.faults == LampFaults() })
    }
}
