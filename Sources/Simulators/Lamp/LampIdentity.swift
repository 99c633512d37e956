package import EventLoop
package import TuyaProtocol

/// Who a simulated device is and where it lives.
package struct LampIdentity: Sendable, Equatable {
    /// The vendor's device id, 20 or 22 characters.
    package var id: String
    /// The factory's id, 16 characters.
    package var uuid: String
    /// 16 characters; a test device has no secret worth hiding.
    package var localKey: String
    package var version: ProtocolVersion
    /// The address and port that the device listens on.
    package var address: SocketAddress
    /// What people call it.
    package var name: String

    package init(
        id: String,
        uuid: String,
        localKey: String,
        version: ProtocolVersion,
        address: SocketAddress,
        name: String
    ) {
        self.id = id
        self.uuid = uuid
        self.localKey = localKey
        self.version = version
        self.address = address
        self.name = name
    }
}
