import HomeModel
import JSON
import PluginWire
import TestSupport
import Testing

@Suite("Hostile lines")
struct HostileLinesTests {
    private static let session = PairingID.derived(from: "p-1", isTaken: { _ in false }, digest: { $0 })
    private static let seeds: [[UInt8]] = [
        WriteCall(device: VendorID("bf01"), values: ["power": true, "color": ["h": 1]], deadline: .seconds(5))
            .line(id: .number(1)),
        WriteAnswer(stage: .sent).line(id: .number(1)),
        StateNote(device: VendorID("bf01"), sequence: 1, at: Timestamp(milliseconds: 1), state: ["power": false]).line,
        PluginNote.added(DescribedNote(description: DeviceDescription(vendorID: VendorID("a"), name: "A"))).line,
        GatewayCall.initialize(InitializeCall(gateway: "1", config: [:], stateDirectory: "/d")).line(id: .number(2)),
        GatewayCall.pairingStart(
            PairingStartCall(session: session, method: "ap", from: "a", input: HiddenObject(["a": 1]))
        )
        .line(id: .number(3)),
        PluginNote.progress(
            ProgressNote(
                PairingProgress(
                    session: session,
                    state: .needsInput,
                    step: "a",
                    steps: ["a"],
                    percent: 1,
                    needsInput: InputForm(title: "T", fields: [InputField("f", title: "F", choices: [.init("1")])]),
                    devices: [VendorID("d")]
                )
            )
        )
        .line,
        PluginCall.joinWiFi(session, ssid: "a", passphrase: HiddenText("b")).line(id: .number(4)),
        PluginCall.storeValue(key: "k", value: [1, 2]).line(id: .text("x")),
        WireMessage.failure(id: .number(1), WireFailure(CommandError(.timeout, "Late."))).line,
    ]

    @Test("10,000 mutated lines are read, refused by code, or ignored; never more")
    func mutations() throws {
        var dice = Dice(20_261_130)
        var decoder = LineDecoder()
        var outcomes = (read: 0, refused: 0, faults: 0)
        for number in 0..<10_000 {
            decoder.append(HostileLine.mutated(Self.seeds[number % Self.seeds.count], with: &dice) + [0x0a])
            while let line = try decoder.next() {
                do {
                    let message = try WireMessage(line: line)
                    #expect(try WireMessage(line: message.line.dropLast()) == message)
                    guard case .request(_, let method, let params) = message else {
                        if case .notification(let method, let params) = message {
                            _ = try PluginNote(method: method, params: params)
                        }
                        outcomes.read += 1
                        continue
                    }
                    if (try? PluginCall(method: method, params: params)) == nil {
                        _ = try GatewayCall(method: method, params: params)
                    }
                    outcomes.read += 1
                } catch let fault as WireFault {
                    #expect(fault.failure.code <= -32_600)
                    outcomes.faults += 1
                } catch let failure as WireFailure {
                    #expect([WireFailure.methodNotFound, WireFailure.invalidParams].contains(failure.code))
                    outcomes.refused += 1
                }
            }
            #expect(decoder.pendingBytes == 0)
        }
        // Each outcome occurs, so that none of the branches is dead.
        #expect(outcomes.read > 100 && outcomes.refused > 100 && outcomes.faults > 1000)
    }
}
