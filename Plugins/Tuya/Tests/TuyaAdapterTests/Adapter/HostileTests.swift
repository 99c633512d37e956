import DeviceInterface
import EventLoop
import HomeModel
import JSON
import Simulators
import Testing
import TuyaAdapter
import TuyaProtocol

@Suite("Hostile input", .timeLimit(.minutes(2)))
struct HostileTests {
    @Test(
        "ten thousand random and mutated frames into a live session: no crash, and a coded reason for every end",
        arguments: ProtocolVersion.supported
    )
    func frames(version: ProtocolVersion) throws {
        var rig = try MachineRig(version) { $0.dialect = .plain }
        try rig.goOnline()
        var random = RandomSource(seed: 42)
        var ends = 0
        for number in 0..<10_000 {
            if !rig.isOpen {
                ends += 1
                #expect(rig.failure != nil || rig.status == .starting)
                rig.outputs = []
                rig.requests = []
                try rig.goOnline()
            }
            var bytes = try rig.frame(
                number % 3 == 0 ? .report : Command(rawValue: UInt32(number % 70)),
                hostileBody(&random)
            )
            switch number % 4 {
            case 0:
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                        in: .min ... .max,
                        using: &random
                    )
                }
            case 1: bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
            case 2:
                bytes = (0..<Int.random(in: 0...300, using: &random)).map { _ in
                    UInt8.random(in: .min ... .max, using: &random)
                }
            default: break
            }
            try rig.receive(bytes)
            if number % 50 == 0 { try rig.pass(.milliseconds(Int.random(in: 0...6_000, using: &random))) }
        }
        #expect(ends > 0)
    }

    /// Bodies that are JSON, nearly JSON, and not JSON at all.
    private func hostileBody(_ random: inout RandomSource) -> String {
        let bodies = [
            #"{"dps":{"20":true,"21":"colour"}}"#, #"{"dps":{"20":"x","22":{"a":[1]},"24":"zz","-1":1,"999999":2}}"#,
            #"{"dps":[]}"#,
            #"{"dps":null}"#, #"{"data":{"dps":{"1":1e400}},"t":"x"}"#, #"{"cid":"ghost","dps":{"1":true}}"#, "[1,2",
            "null", "",
            "json obj data unvalid", "data format error", "parse data error", String(repeating: "[", count: 300),
            #"{"reqType":"subdev_online_stat_report","data":{"online":[1,null,{"cid":"a"}],"offline":5}}"#,
            "{\"dps\":{\"20\":" + String(repeating: "9", count: 400) + "}}",
        ]
        return bodies.randomElement(using: &random) ?? ""
    }

    @Test("values of any kind in a device's data points are taken or passed over")
    func values() throws {
        let settings = DeviceSettings(id: "a")
        var random = RandomSource(seed: 1)
        let odd: [JSON] = [
            true, false, 0, -1, 255, 1000, .integer(.max), .integer(.min), .unsigned(.max), 1.5, .double(1e300), "",
            "white",
            "colour", "scene", "000003e803e8", "ff00000000ffff", "zzz", .string(String(repeating: "a", count: 5000)),
            [], [1], [:],
            ["h": 1],
        ]
        var state = DeviceState(model: ProductModel(ProductModel.Source(settings, seen: [:]), settings: settings))
        for number in 0..<10_000 {
            var points = DataPoints()
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                points[Int.random(in: 1...40, using: &random)] = odd.randomElement(using: &random)
            }
            let time: Int64? = number % 3 == 0 ? nil : Int64.random(in: .min ... .max, using: &random)
            let moment = MonotonicTime(nanoseconds: UInt64(number) * 1_000_000)
            let update = state.take(StatusReport(points: points, time: time), at: moment)
            if !update.unknown.isEmpty {
                var seen: [Int: SeenType] = [:]
                for (id, value) in state.points.points { seen[id] = SeenType(value) }
                state.adopt(ProductModel(ProductModel.Source(settings, seen: seen), settings: settings))
            }
            _ = state.whole
            let names = state.properties.map(\.name)
            #expect(Set(names).count == names.count)
            if let name = names.randomElement(using: &random), let value = odd.randomElement(using: &random) {
                _ = try? state.plan([name: value], assuming: [:], splits: number % 2 == 0, until: moment)
            }
        }
    }

    @Test("a server that answers with noise, or closes at every turn, is left with a coded reason")
    @Loop
    func noise() async throws {
        var random = RandomSource(seed: 9)
        var connections: [TCPConnection] = []
        let listener = try TCPListener(bind: .loopback(port: 0)) { connection in
            connections.append(connection)
            connection.onClose = { _ in }
            connection.onBytes = { [weak connection] _ in
                for _ in 0..<20 {
                    connection?.write((0..<2000).map { _ in UInt8.random(in: .min ... .max, using: &random) })
                }
                if Bool.random(using: &random) { connection?.reset() }
            }
        }
        for version in ProtocolVersion.supported {
            let device: JSON = [
                "id": .string("bf" + version.text), "local_key": "0123456789abcdef", "address": "127.0.0.1",
                "port": JSON(Int(listener.address.port)), "version": .string(version.text),
            ]
            var timing = quickTiming.objectValue ?? [:]
            timing["answer_ms"] = 60
            timing["frame_gap_ms"] = 60
            let rig = try await AdapterRig([
                "devices": [device], "discovery": ["enabled": false], "timing": .object(timing),
            ])
            let id = VendorID("bf" + version.text)
            await rig.host.until { ($0.reasons[id]?.count ?? 0) > 1 }
            #expect(rig.host.connectivity[id]?.isOnline == false)
            await rig.adapter.stop()
        }
        listener.close()
    }

    @Test("a canary in the local key appears in no record, description, detail, error or diagnosis")
    @Loop
    func canary() async throws {
        let canary = "CANARY-77-CANARY"
        var told: [String] = []
        for version in [ProtocolVersion.v31, .v33, .v34, .v35] {
            try await withLamp(
                version,
                prepare: { lamp in try? lamp.repair(key: canary) }
            ) { lamp, rig, id in
                await rig.host.untilOnline(id)
                told.append("\(await rig.write(id, ["power": false, "color": ["h": 3]]))")
                told.append("\(await rig.write(id, ["nonsense": 1]))")
                lamp.faults.errorText = "parse data error"
                told.append("\(await rig.write(id, ["power": true]))")
                try lamp.repair(key: "0000000000000000")
                await rig.host.until { $0.connectivity[id]?.isOnline == false }
                told.append("\(await rig.write(id, ["power": true]))")
                told.append("\(await rig.read(id))")
                told.append(await rig.adapter.diagnostics().text)
                told.append("\(rig.host.records) \(rig.host.connectivity) \(rig.host.statuses) \(rig.host.reports)")
                told.append(rig.host.descriptions.values.map(\.json.text).joined())
                told.append(rig.host.store.values.map(\.text).joined())
            }
        }
        do throws(CommandError) {
            _ = try TuyaConfig(json: ["devices": [["id": "x", "local_key": .string(canary + "&amp;")]]])
        } catch { told.append("\(error)") }
        do throws(CommandError) {
            _ = try TuyaConfig(json: ["devices": [["id": "x", "local_keyy": .string(canary)]]])
        } catch { told.append("\(error)") }
        told.append("\(try LocalKey(canary)) \(DeviceSettings(id: "x", localKey: try LocalKey(canary)))")
        #expect(!told.isEmpty)
        for text in told {
            #expect(!text.contains(canary) && !text.contains("CANARY"), "\(text.prefix(300))")
        }
    }
}
