import EventLoop
import HomeModel

/// A radio over networks in the test's hands.
@Loop
final class FakeRadio {
    /// What is on the air now.
    var air: @Loop () -> [WiFiSighting]
    /// Where the radio is after it joined a network.
    var place: WiFiPlace
    /// The network that the radio is in, if it is away.
    private(set) var joined: String?
    private(set) var joins: [String] = []
    private(set) var leaves = 0

    init(place: WiFiPlace, air: @escaping @Loop () -> [WiFiSighting]) {
        self.place = place
        self.air = air
    }

    func join(_ ssid: String) async throws(CommandError) -> WiFiPlace {
        guard air().contains(where: { $0.ssid == ssid }) else {
            throw CommandError(.deviceNotFound, "No such network.")
        }
        joined = ssid
        joins.append(ssid)
        return place
    }

    func leave() async {
        joined = nil
        leaves += 1
    }
}
