import EventLoop
import Simulators
import Testing
import TuyaAdapter
import TuyaProtocol

@Suite("Pairing tickets", .timeLimit(.minutes(1)))
@Loop
struct PairingTicketTests {
    private func ticket(_ rig: CloudRig) async throws -> PairingTicket {
        try await rig.cloud.ticket(home: nil, within: CloudRig.deadline)
    }

    private func activation(_ ticket: PairingTicket) throws -> CloudActivation {
        try #require(CloudActivation(token: ticket.token.text, uuid: "u", product: "p"))
    }

    @Test("a ticket is good for ten minutes, and the cloud agrees")
    func expiry() async throws {
        let rig = try CloudRig()
        let asked = rig.now
        let ticket = try await ticket(rig)
        #expect(ticket.expiresAt == asked + .seconds(600))
        rig.advance(ticket.remaining(at: rig.now) - .milliseconds(1))
        #expect(ticket.problem(at: rig.now) == nil)
        rig.advance(.milliseconds(1))
        #expect(ticket.problem(at: rig.now) == .expired && ticket.remaining(at: rig.now) == .zero)
        #expect(throws: CloudActivation.Refusal.tokenExpired) { try rig.server.activate(activation(ticket)) }
        #expect(try await self.ticket(rig).problem(at: rig.now) == nil)
        rig.stop()
    }

    @Test(
        "a shorter life than ten minutes counts, a longer one does not",
        arguments: [(100, 100), (3600, 600), (0, 0)]
    )
    func life(said: Int, counts: Int) async throws {
        let rig = try CloudRig()
        rig.server.house.pairingTokenLife = .seconds(said)
        let asked = rig.now
        #expect(try await ticket(rig).expiresAt == asked + .seconds(counts))
        rig.stop()
    }

    @Test("a slow answer does not lengthen a ticket's life")
    func slowAnswer() async throws {
        let rig = try CloudRig()
        _ = try await rig.cloud.homes(within: CloudRig.deadline)
        rig.advance(.seconds(10))
        let asked = rig.now
        rig.server.onRequest = { request, _ in
            if request.method == "POST" { rig.advance(.seconds(20)) }
        }
        let ticket = try await ticket(rig)
        #expect(ticket.expiresAt == asked + .seconds(600) && ticket.remaining(at: rig.now) == .seconds(580))
        rig.server.onRequest = nil
        rig.stop()
    }

    @Test("a ticket is used once, and each pairing gets another one")
    func singleUse() async throws {
        let rig = try CloudRig()
        var first = try await ticket(rig)
        try first.use(at: rig.now)
        #expect(throws: PairingTicket.Problem.used) { try first.use(at: rig.now) }
        _ = try rig.server.activate(activation(first))
        #expect(throws: CloudActivation.Refusal.tokenUsed) { try rig.server.activate(activation(first)) }
        let second = try await ticket(rig)
        #expect(second.token != first.token)
        _ = try rig.server.activate(activation(second))
        var late = second
        rig.advance(.seconds(600))
        #expect(throws: PairingTicket.Problem.expired) { try late.use(at: rig.now) }
        rig.stop()
    }

    @Test("a ticket does not print its token")
    func redacted() async throws {
        let rig = try CloudRig()
        let ticket = try await ticket(rig)
        var text = "\(ticket)"
        dump(ticket, to: &text)
        #expect(!text.contains(ticket.token.token) && !text.contains(ticket.token.secret))
        rig.stop()
    }
}
