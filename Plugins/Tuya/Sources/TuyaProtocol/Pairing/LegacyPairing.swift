internal import Crypto

/// The datagram of the old hotspot pairing: clear JSON to UDP 6669, readable by everyone near.
///
/// Source: protocol description, section 7.
package enum LegacyPairing {
    /// Where devices listen.
    package static let port: UInt16 = 6669
    /// Larger frames do not fit into a device's buffer.
    package static let maximumFrame = 256

    /// The datagram, to be repeated every second.
    package static func datagram(_ credentials: PairingCredentials) throws(TuyaProtocolError) -> [UInt8] {
        try datagram(body: credentials.body)
    }

    /// The datagram for a body as it is.
    package static func datagram(body: [UInt8]) throws(TuyaProtocolError) -> [UInt8] {
        var writer = FrameWriter(.classic, command: .legacyCredentials, sequence: 0)
        writer.bytes += body
        let frame: [UInt8]
        do throws(CryptoError) { frame = try writer.finishClassic(.crc) } catch { throw .from(error) }
        guard frame.count <= maximumFrame else { throw .tooLong(bytes: frame.count, limit: maximumFrame) }
        return frame
    }
}
