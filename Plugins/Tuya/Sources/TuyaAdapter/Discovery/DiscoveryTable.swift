package import EventLoop
package import JSON
package import TuyaProtocol

/// Where devices were last heard, and what they said of themselves; nothing in it is authentic.
package struct DiscoveryTable: Sendable {
    /// More devices than any house has; when it is full the one that was silent longest is forgotten.
    package static let limit = 2048
    /// The most bytes of a beacon's fields that are kept for diagnosis.
    private static let fieldsLimit = 1024

    /// What a device's last beacon said.
    package struct Sighting: Sendable, Equatable {
        /// The address that the beacon came from, whatever it says itself.
        package var source: SocketAddress
        package var version: ProtocolVersion?
        package var productKey: String?
        package var uuid: String?
        package var isActivated: Bool?
        package var seenAt: MonotonicTime
        /// Everything that it said, for devices that nobody has configured.
        package var fields: JSONObject?
    }

    private var sightings: [String: Sighting] = [:]

    package init() {}

    /// Where a device was last heard.
    package subscript(id: String) -> Sighting? { sightings[id] }

    /// How many devices were heard.
    package var count: Int { sightings.count }

    /// Ids of the devices heard, in order.
    package var ids: [String] { sightings.keys.sorted() }

    /// Takes a beacon in.
    ///
    /// - Parameters:
    ///   - isConfigured: whether the device is somebody's; its fields are then not kept.
    ///   - now: when it came.
    /// - Returns: the device's id, or nil for a beacon without one.
    package mutating func note(
        _ beacon: Beacon,
        from source: SocketAddress,
        isConfigured: Bool,
        at now: MonotonicTime
    ) -> String? {
        guard let id = beacon.gatewayID, id.utf8.count <= 64 else { return nil }
        if sightings[id] == nil, sightings.count >= Self.limit { forgetOldest() }
        sightings[id] = Sighting(
            source: source,
            version: beacon.version,
            productKey: beacon.productKey.map { String($0.prefix(64)) },
            uuid: beacon.uuid.map { String($0.prefix(64)) },
            isActivated: beacon.isActivated,
            seenAt: now,
            fields: isConfigured ? nil : Self.kept(beacon.fields)
        )
        return id
    }

    private static func kept(_ fields: JSONObject) -> JSONObject? {
        JSON.object(fields).serialized().count <= fieldsLimit ? fields : nil
    }

    private mutating func forgetOldest() {
        guard let oldest = sightings.min(by: { $0.value.seenAt < $1.value.seenAt }) else { return }
        sightings[oldest.key] = nil
    }
}
