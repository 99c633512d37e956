import EventLoop
import JSON
import Simulators
import TestSupport
import Testing

@Suite("Simulated air")
struct AirTests {
    @Test("networks appear and go, strongest first, whatever their names are")
    func networks() async throws {
        try await withTemporaryFolder { folder in
            let air = Air(folder: folder.path)
            let names = ["SmartLife-3F2A", "a/b\"c\\", "☕️ café", ".hidden"]
            let networks = names.enumerated().map { AirNetwork(ssid: $1, signal: -60 + $0) }
            for network in networks { try air.put(network) }
            #expect(air.networks() == networks.reversed())
            var stronger = networks[0]
            stronger.signal = -20
            try air.put(stronger)
            #expect(air.networks().first == stronger)
            air.remove(stronger)
            air.remove(stronger)
            #expect(air.networks().map(\.ssid) == names.dropFirst().reversed())
        }
    }

    @Test("networks of one name and two access points are two")
    func sameName() async throws {
        try await withTemporaryFolder { folder in
            let air = Air(folder: folder.path)
            try air.put(AirNetwork(ssid: "home", bssid: "02:00:00:00:00:01", signal: -70))
            try air.put(AirNetwork(ssid: "home", bssid: "02:00:00:00:00:02", signal: -50))
            #expect(air.networks().count == 2)
            #expect(air.network("home")?.bssid == "02:00:00:00:00:02")
        }
    }

    @Test("a radio joins, knows where it is after a restart, loses a network that goes, and comes back")
    @Loop
    func radio() async throws {
        let folder = try TemporaryFolder()
        let air = Air(folder: folder.path)
        let network = AirNetwork(ssid: "lamp", passphrase: "open sesame", gateway: "127.77.0.1")
        try air.put(network)
        await #expect(throws: AirError.refused(ssid: "lamp")) {
            try await AirRadio(air).join("lamp", passphrase: "")
        }
        await #expect(throws: AirError.notFound(ssid: "other")) {
            try await AirRadio(air).join("other", passphrase: "")
        }
        let place = try await AirRadio(air).join("lamp", passphrase: "open sesame")
        #expect(place == ["interface": "lo", "address": "127.0.0.1", "prefix": 8, "gateway": "127.77.0.1"])
        #expect(AirRadio(air).status()["joined"] == "lamp")
        air.remove(network)
        #expect(AirRadio(air).status()["joined"]?.isNull == true)
        try air.put(network)
        try await AirRadio(air).leave()
        try await AirRadio(air).leave()
        #expect(AirRadio(air).status()["joined"]?.isNull == true)
        #expect(AirRadio(air).scan()[0]?["secured"] == true)
    }
}
