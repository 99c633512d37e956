internal import JSON

/// Writes requests to one device as compact JSON, in the form of the device's protocol version.
///
/// Source: protocol description, section 3.8. Devices may ignore JSON with blanks between tokens, and they look at the
/// difference between a `t` in quotes and one without.
package struct RequestWriter: Sendable {
    package let version: ProtocolVersion
    /// The id as JSON, quoted.
    private let quotedID: [UInt8]

    /// - Parameter deviceID: of the device that is connected to; for a child, its hub's.
    package init(version: ProtocolVersion, deviceID: String) {
        self.version = version
        quotedID = JSON.string(deviceID).serialized()
    }

    /// The command under which a request is sent.
    package func command(for request: Request) -> Command {
        switch request {
        case .query: version.negotiates ? .queryNew : .query
        case .queryListed: .controlNew
        case .set: version.negotiates ? .controlNew : .control
        case .refresh: .refresh
        case .heartbeat: .heartbeat
        case .listChildren: .extended
        }
    }

    /// Appends the body of a request.
    ///
    /// - Parameter time: Unix time in seconds.
    package func write(_ request: Request, time: Int64, into bytes: inout [UInt8]) {
        switch request {
        case .query(let child): writeQuery(child, time, &bytes)
        case .queryListed(let ids): writeListedQuery(ids, time, &bytes)
        case .set(let points, let child):
            if version.negotiates {
                writeWrappedSet(points, child, time, &bytes)
            } else {
                writeSet(points, child, time, &bytes)
            }
        case .refresh(let ids, let child): writeRefresh(ids, child, &bytes)
        case .heartbeat:
            bytes.append("{\"gwId\":")
            bytes += quotedID
            bytes.append(",\"devId\":")
            bytes += quotedID
            bytes.append("}")
        case .listChildren: bytes.append("{\"reqType\":\"subdev_online_stat_query\",\"data\":{\"cids\":[]}}")
        }
    }

    /// The body of a request.
    package func body(of request: Request, time: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        write(request, time: time, into: &bytes)
        return bytes
    }

    private func writeQuery(_ child: String?, _ time: Int64, _ bytes: inout [UInt8]) {
        switch (version.negotiates, child) {
        case (true, nil): bytes.append("{}")
        case (true, let child?):
            bytes.append("{\"cid\":")
            JSON.string(child).write(into: &bytes)
            bytes.append("}")
        case (false, let child?):
            bytes.append("{\"t\":")
            bytes.appendDecimal(time)
            bytes.append(",\"cid\":")
            JSON.string(child).write(into: &bytes)
            bytes.append("}")
        case (false, nil):
            bytes.append("{\"gwId\":")
            bytes += quotedID
            bytes.append(",")
            writeIdentity(time, &bytes)
            bytes.append("}")
        }
    }

    private func writeListedQuery(_ ids: [Int], _ time: Int64, _ bytes: inout [UInt8]) {
        bytes.append("{")
        writeIdentity(time, &bytes)
        bytes.append(",\"dps\":{")
        for (index, id) in ids.enumerated() {
            bytes.append(index == 0 ? "\"" : ",\"")
            bytes.appendDecimal(Int64(id))
            bytes.append("\":null")
        }
        bytes.append("}}")
    }

    private func writeSet(_ points: DataPoints, _ child: String?, _ time: Int64, _ bytes: inout [UInt8]) {
        bytes.append("{")
        if let child {
            bytes.append("\"t\":")
            bytes.appendDecimal(time)
            bytes.append(",\"cid\":")
            JSON.string(child).write(into: &bytes)
        } else {
            writeIdentity(time, &bytes)
        }
        bytes.append(",\"dps\":")
        points.write(into: &bytes)
        bytes.append("}")
    }

    private func writeWrappedSet(_ points: DataPoints, _ child: String?, _ time: Int64, _ bytes: inout [UInt8]) {
        bytes.append("{\"protocol\":5,\"t\":")
        bytes.appendDecimal(time)
        bytes.append(",\"data\":{")
        let quotedChild = child.map { JSON.string($0).serialized() }
        if let quotedChild {
            bytes.append("\"cid\":")
            bytes += quotedChild
            bytes.append(",\"ctype\":0,")
        }
        bytes.append("\"dps\":")
        points.write(into: &bytes)
        bytes.append("}")
        if let quotedChild {
            bytes.append(",\"cid\":")
            bytes += quotedChild
        }
        bytes.append("}")
    }

    private func writeRefresh(_ ids: [Int], _ child: String?, _ bytes: inout [UInt8]) {
        bytes.append("{\"dpId\":[")
        for (index, id) in ids.enumerated() {
            if index > 0 { bytes.append(",") }
            bytes.appendDecimal(Int64(id))
        }
        bytes.append("]")
        if let child {
            bytes.append(",\"cid\":")
            JSON.string(child).write(into: &bytes)
        }
        bytes.append("}")
    }

    /// `devId`, `uid` and the time in quotes.
    private func writeIdentity(_ time: Int64, _ bytes: inout [UInt8]) {
        bytes.append("\"devId\":")
        bytes += quotedID
        bytes.append(",\"uid\":")
        bytes += quotedID
        bytes.append(",\"t\":\"")
        bytes.appendDecimal(time)
        bytes.append("\"")
    }
}
