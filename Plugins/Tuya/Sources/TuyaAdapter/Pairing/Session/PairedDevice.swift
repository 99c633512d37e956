import HomeModel
package import JSON
package import TuyaProtocol

/// A device that is taken in: its key, and what is known of it in the words of the configuration.
package struct PairedDevice: Sendable, Equatable {
    package var id: String
    /// nil for a sub-device, which its hub carries.
    package var key: LocalKey?
    /// `name`, `category`, `product`, `schema`, `hub`, `cid`, `address`, `version`: as in ``DeviceSettings``.
    package var options = JSONObject()
    /// Where it was last, for a start; a beacon changes it, unlike `address`.
    package var hint: String?
    /// A version that probably fits.
    package var likelyVersion: ProtocolVersion?

    package init(id: String, key: LocalKey?) {
        self.id = id
        self.key = key
    }

    /// A device as the cloud knows it.
    package init(_ device: CloudDevice, key: LocalKey?) {
        self.init(id: device.id, key: key)
        options["name"] = DeviceName.cleaned(device.name).map { .string($0) }
        options["category"] = device.category.map { .string($0) }
        options["product"] = device.productID.map { .string($0) }
        options["schema"] = device.specification
        if let hub = device.gatewayID, let child = device.nodeID, device.isSubDevice {
            options["hub"] = .string(hub)
            options["cid"] = .string(child)
        }
        likelyVersion = device.version
    }
}
