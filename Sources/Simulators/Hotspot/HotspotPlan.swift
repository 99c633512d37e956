package import EventLoop
package import JSON
package import TLS
package import TuyaProtocol

/// What a simulated device is that waits to be paired in its own hotspot, and what goes wrong with it.
package struct HotspotPlan: Sendable, Equatable {
    package var habit = HotspotHabit.apPlus
    /// What people call it.
    package var name = "Lamp"
    /// The factory's id.
    package var uuid = "f1e2d3c4b5a697887766"
    package var product = Product.light(.rgbcw)
    /// What it speaks on the LAN once it is paired.
    package var version = ProtocolVersion.v35

    // MARK: The hotspot

    /// The hotspot's name.
    package var ssid = "SmartLife-3F2A"
    /// The device's address in its hotspot, whose port is of no use.
    package var address = SocketAddress(ipv4: 0x7F4D_0001, port: 0)
    package var ports = HotspotPorts()
    /// Where announcements go; its port is of no use.
    package var announcementTarget = SocketAddress(ipv4: 0x7FFF_FFFF, port: 0)
    package var announcementInterval = Duration.seconds(1)
    /// What a radio gets that joins the hotspot: the address, its prefix and the interface.
    package var stationAddress = "127.0.0.1"
    package var stationPrefix = 8
    package var stationInterface = "lo"

    // MARK: Firmware

    /// Printed on the device: no announcements, another port, identity and key of the device's own.
    package var pincode: String?
    /// 0 to 3.
    package var securityLevel = 0
    /// Whether the status after a failure says what failed, instead of the open SDK's constant.
    package var reportsFailures = false
    /// How long after a failed join the hotspot is back; nil for never.
    package var returnsAfter: Duration?
    /// What the device asks for in its ClientHello.
    package var fragmentLength = TLSFragmentLength.bytes4096
    /// Whether it knows the request for a list of networks.
    package var listsNetworks = true
    /// More fields of what it says about itself, or other values of the usual ones.
    package var extraFields = JSONObject()

    // MARK: Time

    /// How long a scan for networks blocks everything.
    package var scanTime = Duration.zero
    /// From the credentials to an address in the home.
    package var joinTime = Duration.milliseconds(800)
    /// From there to the answer of the cloud, at least.
    package var activationTime = Duration.zero
    /// How long after a refusal of the cloud the hotspot is back.
    package var refusalReturn = Duration.seconds(1)

    /// How long a device of the old process with a security level waits, joined, until it activates; nil: until told to.
    ///
    /// What a vendor's app does to it in that time is not known.
    package var confirmsAfter: Duration?

    // MARK: Trouble

    /// The answer to the credentials does not leave the device.
    package var losesAnswer = false
    /// Nothing is ever answered.
    package var isSilent = false
    /// Connections are accepted, and no handshake begins.
    package var startsHandshake = true

    // MARK: The home

    package var networks = [ScriptedNetwork(ssid: "HomeNet", password: "correct horse", signal: -41)]
    /// Where the device listens once it is paired.
    package var lanAddress = SocketAddress(ipv4: 0x7F4D_0102, port: 6668)
    /// Whether it announces itself there; the vendor's open SDK only answers questions, retail devices do both.
    package var announcesItself = true
    /// How, and where to.
    package var beacons = LampAnnouncer.Settings()

    package init() {}

    /// What becomes of these credentials.
    package func outcome(of credentials: HotspotCredentials) -> JoinOutcome {
        guard let network = networks.first(where: { $0.ssid == credentials.ssid }) else { return .notFound }
        guard network.outcome == .joins || network.outcome == .cloudRefuses || network.outcome == .cloudUnreachable
        else { return network.outcome }
        return network.password == credentials.password ? network.outcome : .wrongPassword
    }
}
