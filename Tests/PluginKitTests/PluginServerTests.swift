import DeviceInterface
import EventLoop
import Glibc
import HomeModel
import JSON
import PluginKit
import PluginWire
import TestSupport
import Testing

@Suite("PluginServer", .timeLimit(.minutes(1)))
struct PluginServerTests {
    @Test("a plugin is initialized, serves, and ends with shutdown")
    @Loop func wholeLife() async throws {
        let peer = try Peer()
        #expect(try await peer.ask("ping") == .response(id: .number(1), result: [:]))
        guard case .failure(_, let early) = try await peer.ask("start") else {
            Issue.record("started before it was initialized")
            return
        }
        #expect(early.code == WireFailure.invalidRequest)
        #expect(try await peer.ask("initialize/devices", Peer.devices("a")) == .response(id: .number(3), result: [:]))
        guard case .response(_, let answer) = try await peer.ask("initialize", Peer.initialize("b")) else {
            Issue.record("not initialized")
            return
        }
        #expect(try InitializeAnswer(json: answer).pluginVersion == "1.2")
        #expect(peer.adapter.known == ["a", "b"])
        #expect(try await peer.ask("start") == .response(id: .number(5), result: [:]))
        #expect(
            try await peer.ask("device/write", ["device": "a", "values": ["power": true], "deadlineMs": 100])
                == .response(id: .number(6), result: ["stage": "acknowledged"])
        )
        #expect(try await peer.ask("shutdown") == .response(id: .number(7), result: [:]))
        await peer.ended()
        #expect(peer.adapter.stops == 1)
    }

    @Test("the end of the input stops the adapter and ends the service")
    @Loop func endOfInput() async throws {
        let peer = try Peer()
        _ = try await peer.ask("initialize", Peer.initialize())
        peer.stream.finish()
        await peer.ended()
        #expect(peer.adapter.stops == 1)
    }

    @Test("an adapter that is being stopped can still ask the gateway")
    @Loop func asksWhileStopping() async throws {
        let peer = try Peer(stopDeadline: .seconds(60))
        _ = try await peer.ask("initialize", Peer.initialize())
        peer.adapter.storesAtStop = true
        peer.send("shutdown")
        peer.send("ping")
        guard case .request(let id, "store/set", _) = try await peer.next() else {
            Issue.record("nothing was asked")
            return
        }
        peer.stream.write(WireMessage.response(id: id, result: .null).line)
        // The request after `shutdown` is not answered.
        #expect(try await peer.next() == .response(id: .number(2), result: [:]))
        await peer.ended()
        #expect(peer.adapter.hasStored == true)
    }

    @Test("an adapter that asks while it stops does not wait for a gateway that is gone")
    @Loop func asksNobody() async throws {
        let peer = try Peer(stopDeadline: .seconds(60))
        _ = try await peer.ask("initialize", Peer.initialize())
        peer.adapter.storesAtStop = true
        let begin = Loop.now
        peer.stream.finish()
        await peer.ended()
        #expect(peer.adapter.hasStored == false)
        // An answer that is waited for takes ten seconds not to come.
        #expect(Loop.now - begin < .seconds(10))
    }

    @Test("garbage is answered by code and does not end the service")
    @Loop func garbage() async throws {
        let peer = try Peer()
        for (line, code) in [
            ("garbage", WireFailure.parseError), ("[]", WireFailure.invalidRequest),
            (#"{"jsonrpc":"2.0","id":1,"method":"fly"}"#, WireFailure.methodNotFound),
            (#"{"jsonrpc":"2.0","id":2,"method":"device/write","params":{}}"#, WireFailure.invalidParams),
        ] {
            peer.stream.write(Array((line + "\n").utf8))
            guard case .failure(_, let failure) = try await peer.next() else {
                Issue.record("no failure for \(line)")
                continue
            }
            #expect(failure.code == code)
        }
        peer.stream.write(Array(#"{"jsonrpc":"2.0","method":"unheard/of"}"#.utf8) + [0x0a])
        #expect(try await peer.ask("ping") == .response(id: .number(1), result: [:]))
    }

    @Test("a protocol version that is not spoken is refused by code")
    @Loop func version() async throws {
        let peer = try Peer()
        var params = Peer.initialize()
        params["protocols"] = [99]
        guard case .failure(_, let failure) = try await peer.ask("initialize", params) else {
            Issue.record("accepted")
            return
        }
        #expect(CommandError(failure).code == .unsupportedProtocol)
    }

    @Test("a cancelled request is answered at once, and its late answer dropped")
    @Loop func cancellation() async throws {
        let peer = try Peer()
        _ = try await peer.ask("initialize", Peer.initialize())
        peer.adapter.holdsWrites = true
        peer.send("device/write", ["device": "a", "values": [:], "deadlineMs": 100])
        peer.stream.write(CancelNote(id: .number(2)).line)
        guard case .failure(.number(2), let failure) = try await peer.next() else {
            Issue.record("no answer")
            return
        }
        #expect(failure.code == WireFailure.cancelled)
        let held = peer.adapter.held
        peer.adapter.held = []
        #expect(held.count == 1)
        for reply in held { reply(.success(WriteReceipt(stage: .sent))) }
        #expect(try await peer.ask("ping") == .response(id: .number(3), result: [:]))
    }

    @Test("an adapter asks the gateway, and gets values and errors")
    @Loop func hostCalls() async throws {
        let peer = try Peer()
        _ = try await peer.ask("initialize", Peer.initialize())
        let host = try #require(peer.adapter.host)
        let value = Task { @Loop in try await host.storedValue(key: "k") }
        guard case .request(let id, "store/get", ["key": "k"]) = try await peer.next() else {
            Issue.record("no request")
            return
        }
        peer.stream.write(WireMessage.response(id: id, result: ["value": [1]]).line)
        #expect(try await value.value == [1])

        let refusal = Task { @Loop in
            do throws(CommandError) {
                try await host.storeSecret("x", name: "n", device: nil)
                return CommandError?.none
            } catch {
                return error
            }
        }
        guard case .request(let id, "secret/store", _) = try await peer.next() else {
            Issue.record("no request")
            return
        }
        peer.stream.write(WireMessage.failure(id: id, WireFailure(CommandError(.tooLarge, "No."))).line)
        #expect(await refusal.value == CommandError(.tooLarge, "No."))
    }

    @Test("10,000 hostile lines from a gateway: every request that can be told is answered, and the plugin serves on")
    @Loop func hostileLines() async throws {
        let peer = try Peer()
        _ = try await peer.ask("initialize", Peer.initialize())
        var dice = Dice(1138)
        var codes: [Int: Int] = [:]
        var results = 0
        for round in 0..<100 {
            for _ in 0..<100 { peer.stream.write(HostileLine.make(from: Self.seeds, with: &dice) + [0x0a]) }
            peer.stream.write(WireMessage.request(id: .text("end \(round)"), method: "ping", params: JSONObject()).line)
            while true {
                let message = try await peer.next()
                if message == .response(id: .text("end \(round)"), result: [:]) { break }
                switch message {
                case .failure(_, let failure): codes[failure.code, default: 0] += 1
                case .response: results += 1
                default: break
                }
            }
        }
        #expect(results > 500)
        for code in [WireFailure.parseError, WireFailure.invalidRequest, WireFailure.invalidParams] {
            #expect(codes[code, default: 0] > 50)
        }
        #expect(codes.keys.allSatisfy { $0 < -32_000 })
        #expect(peer.adapter.stops == 0)
    }

    private static let seeds: [JSON] = [
        [
            "jsonrpc": "2.0", "id": 1, "method": "device/write",
            "params": ["device": "a", "values": ["p": 1], "deadlineMs": 5],
        ],
        [
            "jsonrpc": "2.0", "id": 1, "method": "device/read",
            "params": ["device": "a", "properties": ["p"], "deadlineMs": 5],
        ],
        [
            "jsonrpc": "2.0", "id": 1, "method": "device/invoke",
            "params": ["device": "a", "action": "x", "input": ["n": 1], "deadlineMs": 5],
        ],
        ["jsonrpc": "2.0", "id": 1, "method": "device/remove", "params": ["device": "a", "unpair": true]],
        ["jsonrpc": "2.0", "id": 1, "method": "configure", "params": ["config": ["a": 1], "options": ["b": 2]]],
        [
            "jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": ["protocols": [1], "gateway": "x", "stateDir": "/"],
        ],
        [
            "jsonrpc": "2.0", "id": 1, "method": "initialize/devices",
            "params": ["devices": [["id": "a", "vendorId": "a"]]],
        ],
        ["jsonrpc": "2.0", "id": 1, "method": "diagnostics"], ["jsonrpc": "2.0", "id": "s", "method": "start"],
        ["jsonrpc": "2.0", "method": "$/cancel", "params": ["id": 1]],
        ["jsonrpc": "2.0", "id": 3, "result": ["value": 1]],
        ["jsonrpc": "2.0", "id": 3, "error": ["code": 1, "message": "x"]], ["jsonrpc": "2.0", "method": "unheard/of"],
    ]

    @Test("a gateway that does not read gets the newest state, and all answers, when it reads again")
    @Loop func slowGateway() async throws {
        let peer = try Peer()
        _ = try await peer.ask("initialize", Peer.initialize())
        let host = try #require(peer.adapter.host)
        peer.stream.pauseReading()
        let padding = String(repeating: "x", count: 500)
        for number in 0..<5000 {
            host.deviceReported(
                StateReport(
                    device: VendorID("d\(number % 4)"),
                    state: ["n": JSON(number), "padding": .string(padding)],
                    at: Timestamp(milliseconds: 1)
                )
            )
        }
        host.deviceEvent(
            EventReport(device: VendorID("d3"), event: "last", data: .null, at: Timestamp(milliseconds: 2))
        )
        peer.send("ping")
        peer.stream.resumeReading()
        var states = 0
        var newest: [String: JSON] = [:]
        while true {
            let message = try await peer.next()
            if message == .response(id: .number(2), result: [:]) { break }
            guard case .notification(let method, let params) = message else { continue }
            if case .state(let note)? = try PluginNote(method: method, params: params) {
                states += 1
                newest[note.device.text] = note.state["n"]
            }
        }
        #expect(states < 3000)
        #expect(newest == ["d0": 4996, "d1": 4997, "d2": 4998, "d3": 4999])
    }
}
