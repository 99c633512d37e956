package import JSON
package import TuyaProtocol

/// A device as the vendor's cloud knows it.
package struct CloudDevice: Equatable, Sendable {
    /// The device id.
    package var id: String
    package var name: String
    /// nil for a sub-device, and where the cloud shows none.
    package var localKey: LocalKey?
    package var productID: String?
    package var productName: String?
    /// The vendor's category, such as `dj`.
    package var category: String?
    /// Often the home's public address; a hint at most.
    package var address: String?
    package var version: ProtocolVersion?
    package var uuid: String?
    /// A sub-device's name on its hub (`cid`).
    package var nodeID: String?
    /// The id of the hub that carries it.
    package var gatewayID: String?
    package var isSubDevice = false
    package var isOnline: Bool?
    /// The home that it belongs to.
    package var home: String?
    /// Its data points, see ``DeviceSchema/init(json:)``; only where they came along.
    package var specification: JSON?

    /// A device of which nothing else is known.
    package init(id: String, name: String = "", localKey: LocalKey? = nil) {
        self.id = id
        self.name = name
        self.localKey = localKey
    }
}
