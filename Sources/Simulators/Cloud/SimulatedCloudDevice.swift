internal import JSON

/// A device that the simulated cloud knows.
package struct SimulatedCloudDevice: Sendable, Equatable {
    package var id: String
    package var uuid: String
    package var name: String
    /// 16 characters.
    package var localKey: String
    /// The key of its product.
    package var productKey: String
    /// The user whom it belongs to; nil: nobody, it waits to be paired.
    package var owner: String?
    package var home: Int?
    /// Where it is on the LAN, as far as the cloud knows.
    package var address: String?
    package var isOnline = true
    /// A sub-device's name on its hub, and the hub's id.
    package var nodeID: String?
    package var gatewayID: String?
    /// `true`: nobody else can take it over by pairing it again.
    package var isBoundFirmly = true

    package init(
        id: String,
        uuid: String,
        name: String,
        localKey: String,
        productKey: String,
        owner: String? = nil,
        home: Int? = nil
    ) {
        self.id = id
        self.uuid = uuid
        self.name = name
        self.localKey = localKey
        self.productKey = productKey
        self.owner = owner
        self.home = home
    }

    /// As the lists and the single answer show it.
    func json(_ product: Product?) -> JSON {
        var object: JSONObject = [
            "id": .string(id), "uuid": .string(uuid), "name": .string(name), "local_key": .string(localKey),
            "product_id": .string(productKey), "product_name": .string(product?.name ?? ""),
            "category": .string(product?.category ?? "qt"), "online": .bool(isOnline),
            "ip": .string(address ?? "203.0.113.7"), "sub": .bool(nodeID != nil),
        ]
        if let owner { object["uid"] = .string(owner) }
        if let home { object["owner_id"] = .string("\(home)") }
        if let nodeID { object["node_id"] = .string(nodeID) }
        if let gatewayID { object["gateway_id"] = .string(gatewayID) }
        return .object(object)
    }
}
