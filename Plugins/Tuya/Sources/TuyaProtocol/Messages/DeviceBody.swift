internal import JSON

/// Bodies as devices write them; for simulators.
package struct DeviceBody: Sendable {
    private let version: ProtocolVersion
    private let quotedID: [UInt8]

    /// - Parameter deviceID: told in most bodies.
    package init(version: ProtocolVersion, deviceID: String) {
        self.version = version
        quotedID = JSON.string(deviceID).serialized()
    }

    /// Appends the answer to a query.
    package func writeStatus(_ points: DataPoints, into bytes: inout [UInt8]) {
        bytes.append("{\"devId\":")
        bytes += quotedID
        bytes.append(",\"dps\":")
        points.write(into: &bytes)
        bytes.append("}")
    }

    /// Appends a report of changes.
    ///
    /// - Parameter time: Unix time in seconds; up to 3.3 only some devices tell it.
    package func writeReport(
        _ points: DataPoints,
        child: String? = nil,
        time: Int64?,
        into bytes: inout [UInt8]
    ) {
        if version.negotiates {
            bytes.append("{\"protocol\":4,\"t\":")
            bytes.appendDecimal(time ?? 0)
            bytes.append(",\"data\":{")
            writeChild(child, &bytes)
            bytes.append("\"dps\":")
            points.write(into: &bytes)
            bytes.append("}}")
        } else {
            bytes.append("{\"devId\":")
            bytes += quotedID
            bytes.append(",")
            writeChild(child, &bytes)
            bytes.append("\"dps\":")
            points.write(into: &bytes)
            if let time {
                bytes.append(",\"t\":")
                bytes.appendDecimal(time)
            }
            bytes.append("}")
        }
    }

    private func writeChild(_ child: String?, _ bytes: inout [UInt8]) {
        guard let child else { return }
        bytes.append("\"cid\":")
        JSON.string(child).write(into: &bytes)
        bytes.append(",")
    }
}
