internal import Crypto
package import JSON

/// Builds discovery datagrams: our request, and for simulators what devices announce.
///
/// Not for use from two threads at a time.
package final class DiscoveryEncoder {
    /// How a datagram's body is protected.
    package enum Protection: Sendable {
        /// Clear JSON, 3.1.
        case clear
        /// AES-ECB under the fixed key, 3.2 … 3.4.
        case ecb
        /// Sealed under the discovery key, or the hotspot key for a hotspot's announcement.
        case sealed
    }

    private let ecb: AESECB
    private let discoveryKey: AESGCM
    private let hotspotKey: AESGCM
    private var nonces = RandomNonces()

    /// Prepares the fixed keys.
    package init() throws(TuyaProtocolError) {
        do throws(CryptoError) {
            ecb = try AESECB(key: SecretKey(FixedKeys.discovery))
            discoveryKey = try AESGCM(key: SecretKey(FixedKeys.discovery))
            hotspotKey = try AESGCM(key: SecretKey(FixedKeys.hotspot))
        } catch { throw .from(error) }
    }

    /// The question that 3.5 devices answer, to be broadcast on UDP 7000.
    ///
    /// - Parameter address: our IPv4 address on the interface that it is sent over; devices answer to it, not to the
    ///   datagram's source.
    package func request(address: String) throws(TuyaProtocolError) -> [UInt8] {
        let body = JSON.object(["from": "app", "ip": .string(address)]).serialized()
        return try datagram(.sealed, .discoveryRequest, returnCode: nil, body: body)
    }

    /// What a device of `version` announces about itself.
    ///
    /// - Parameter fields: the JSON object, see ``Beacon``.
    package func announcement(version: ProtocolVersion, fields: JSONObject) throws(TuyaProtocolError) -> [UInt8] {
        let body = JSON.object(fields).serialized()
        switch version {
        case .v31: return try datagram(.clear, .clearAnnouncement, returnCode: 0, body: body)
        case .v32, .v33: return try datagram(.ecb, .announcement, returnCode: 0, body: body)
        case .v34: return try datagram(.ecb, .announcement34, returnCode: 0, body: body)
        case .v35, .unknown: return try datagram(.sealed, .announcement, returnCode: 0, body: body)
        }
    }

    /// Any datagram.
    ///
    /// - Parameter nonce: 12 bytes for a sealed datagram; random unless given.
    package func datagram(
        _ protection: Protection,
        _ command: Command,
        returnCode: Int32?,
        body: [UInt8],
        nonce: [UInt8]? = nil
    ) throws(TuyaProtocolError) -> [UInt8] {
        var writer = FrameWriter(protection == .sealed ? .sealed : .classic, command: command, sequence: 0)
        do throws(CryptoError) {
            switch (protection, nonce) {
            case (.sealed, let nonce?): writer.bytes += nonce
            case (.sealed, nil): try nonces.append(to: &writer.bytes)
            default: break
            }
            if let returnCode { writer.bytes.appendBigEndian(UInt32(bitPattern: returnCode)) }
            switch protection {
            case .clear:
                writer.bytes += body
                return try writer.finishClassic(.crc)
            case .ecb:
                writer.bytes += try ecb.encryptPadded(body)
                return try writer.finishClassic(.crc)
            case .sealed:
                writer.bytes += body
                return try writer.finishSealed(command == .hotspotAnnouncement ? hotspotKey : discoveryKey)
            }
        } catch { throw .from(error) }
    }
}
