import EventLoop
import JSON
import Simulators
import Testing
import TuyaProtocol

@Suite("A house of simulated lamps", .timeLimit(.minutes(1)))
struct TuyaLampHouseTests {
    private static func plan(seed: UInt64) -> HousePlan {
        var plan = HousePlan()
        plan.count = 6
        plan.versions = [.v33, .v32, .v35]
        plan.types = [.rgbcw, .cw]
        plan.seed = seed
        return plan
    }

    @Test("is the same for the same seed, and another for another")
    func seeds() {
        let first = Self.plan(seed: 7).devices().map(\.identity)
        #expect(first == Self.plan(seed: 7).devices().map(\.identity))
        #expect(first[0].id != Self.plan(seed: 8).devices()[0].identity.id)
        #expect(Set(first.map(\.id)).count == 6)
        #expect(first.map(\.id.count) == [20, 22, 20, 20, 22, 20])
        #expect(first.allSatisfy { (try? LocalKey($0.localKey)) != nil })
        #expect(first.map(\.address.ip)[5] == "127.0.0.7")
    }

    @Test("is described for the gateway and for tinytuya")
    @Loop
    func descriptions() throws {
        var plan = Self.plan(seed: 7)
        plan.count = 1
        plan.sharedKey = "0123\"56789abcd\\f"
        plan.idPrefix = "bfbench0000000"
        let house = try TuyaLampHouse(plan)
        #expect(
            house.configuration() == """
                plugins:
                  tuya:
                    devices:
                      - id: bfbench0000000000000
                        local_key: "0123\\"56789abcd\\\\f"
                        address: 127.0.0.2
                        version: "3.3"
                        name: "Lamp 1 (RGBCW)"

                """
        )
        let device = house.devicesJSON()[0]
        #expect(device?["id"] == "bfbench0000000000000")
        #expect(device?["key"] == "0123\"56789abcd\\f")
        #expect(device?["version"] == "3.3")
    }

    @Test("has every light type in every numbering, and a value for each point that is not send-only")
    func products() {
        for type in LightType.allCases {
            for generation in LightGeneration.allCases {
                let product = Product.light(type, generation)
                #expect(Set(product.points.map(\.id)).count == product.points.count)
                for (id, value) in product.initialValues {
                    #expect(product.point(id)?.accepted(value) == value, "\(product.name), point \(id)")
                }
            }
        }
        #expect(Product.light(.c).point(23) == nil)
        #expect(Product.light(.rgb).point(22) == nil)
        #expect(Product.light(.rgbcw).initialValues[21] == "white")
    }

    @Test("of a thousand devices with clients takes at most 60 MB")
    @Loop
    func memory() async throws {
        DescriptorLimit.raise()
        var plan = HousePlan()
        plan.count = 1000
        plan.firstAddress = SocketAddress(ipv4: 0x7F0B_0001, port: 6668)
        let before = Self.residentBytes()
        let house = try TuyaLampHouse(plan)
        try house.start()
        defer { house.stop() }
        var clients: [TCPConnection] = []
        for lamp in house.lamps {
            clients.append(try await TCPConnection.connect(to: lamp.identity.address, deadline: .seconds(5)))
        }
        await house.lamps[999].until { $0.connectionCount == 1 }
        #expect(Self.residentBytes() - before < 60_000_000)
        #expect(clients.count == 1000)
    }

    private static func residentBytes() -> Int { ProcessMemory.resident() }
}
