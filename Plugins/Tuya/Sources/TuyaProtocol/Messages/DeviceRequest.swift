package import JSON

/// What a client's frame asks, read at the device's end; for simulators.
package enum DeviceRequest: Equatable, Sendable {
    case heartbeat
    case query(child: String?)
    /// The device22 form: the points that have `null` in `dps`.
    case queryListed(ids: [Int])
    case set(DataPoints, child: String?)
    case refresh(ids: [Int], child: String?)
    case extended(type: String, data: JSON?)
    /// The body is not the JSON that the command wants.
    case malformed

    /// Reads a body.
    ///
    /// - Parameter plaintext: from ``SessionCodec/plaintext(of:)``.
    package init(command: Command, plaintext: [UInt8]) {
        if command == .heartbeat {
            self = .heartbeat
            return
        }
        guard case .object(let object)? = DeviceJSON.parse(plaintext) else {
            self = .malformed
            return
        }
        let data = object["data"]?.objectValue
        let child = (object["cid"] ?? data?["cid"])?.stringValue
        switch command {
        case .query, .queryNew: self = .query(child: child)
        case .control, .controlNew:
            guard let values = (object["dps"] ?? data?["dps"])?.objectValue else {
                self = .malformed
                return
            }
            let points = DataPoints(object: values)
            if points.isEmpty, !values.isEmpty {
                self = .queryListed(ids: values.keys.compactMap { DataPoints.id(of: $0) })
            } else {
                self = .set(points, child: child)
            }
        case .refresh:
            self = .refresh(ids: object["dpId"]?.arrayValue?.compactMap(\.intValue) ?? [], child: child)
        default:
            guard let type = object["reqType"]?.stringValue else {
                self = .malformed
                return
            }
            self = .extended(type: type, data: object["data"])
        }
    }
}
