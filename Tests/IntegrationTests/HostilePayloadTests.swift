import EventLoop
import Glibc
import JSON
import MQTT
import Simulators
import Testing

@Loop
@Suite("Hostile payloads", .timeLimit(.minutes(10)))
struct HostilePayloadTests {
    @Test("10,000 random and broken payloads are each answered by a known code, and do no harm")
    func payloads() async throws {
        var plan = GatewayPlan(lamps: 2)
        plan.logLevel = "warning"
        try await withGateway(plan) { house in
            let sender = HostileSender(house, try await house.connect(filters: ["hostile/answers"]))
            sender.listen()
            try await sender.send(2_000)
            let before = ProcessTable.residentKiB(of: house.gateway.pid)
            try await sender.send(8_000)
            let after = ProcessTable.residentKiB(of: house.gateway.pid)
            Figures.note(
                "hostile payloads: \(sender.sent) sent, \(sender.answered) answered, \(sender.codes.sorted { $0.key < $1.key }); "
                    + "resident memory \(before) → \(after) KiB"
            )
            #expect(sender.answered == sender.sent)
            let strangers = sender.codes.keys.filter { $0 != "ok" && !HostileSender.closedList.contains($0) }
            #expect(strangers.isEmpty, "codes that are not in the list: \(strangers)")
            #expect(sender.shapeless.isEmpty, "\(sender.shapeless.prefix(3))")
            #expect(after < before + 65_536)
            #expect(house.gateway.isRunning)
            #expect(house.gateway.pids.count == 1)
            let answer = try await house.client.set("lamp-1", ["power": false])
            #expect(answer["stage"] == "confirmed", "\(answer.text)")
        }
    }
}
