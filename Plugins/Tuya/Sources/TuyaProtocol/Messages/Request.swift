/// What a client asks of a device.
package enum Request: Equatable, Sendable {
    /// All data points, of the device or of one of its children.
    case query(child: String? = nil)
    /// Given data points, for devices that refuse the plain query (the device22 dialect).
    case queryListed(ids: [Int])
    /// New values, of the device or of one of its children.
    case set(DataPoints, child: String? = nil)
    /// Measures given data points anew and reports them.
    case refresh(ids: [Int], child: String? = nil)
    case heartbeat
    /// Which children are online.
    case listChildren
}
