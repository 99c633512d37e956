package import EventLoop
package import TuyaProtocol

/// A device on the home's network, as its beacon tells it.
package struct LANSighting: Equatable, Sendable {
    /// Its device id; the uuid while it is not paired.
    package var id: String
    package var uuid: String?
    package var isActivated: Bool?
    package var securityLevel: Int?
    package var version: ProtocolVersion?
    package var source: SocketAddress
    /// Whether it was there, and paired, before this pairing began.
    package var isOld: Bool

    /// Describes a sighting.
    package init(_ beacon: Beacon, id: String, from source: SocketAddress, isOld: Bool) {
        self.id = id
        uuid = beacon.uuid
        isActivated = beacon.isActivated
        securityLevel = beacon.securityLevel
        version = beacon.version
        self.source = source
        self.isOld = isOld
    }
}
