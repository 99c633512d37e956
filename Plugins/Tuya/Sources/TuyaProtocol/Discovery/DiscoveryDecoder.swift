internal import Crypto
internal import JSON

/// Reads datagrams from UDP 6666, 6667 and 7000.
///
/// Not for use from two threads at a time. Source: protocol description, section 2.2.
package final class DiscoveryDecoder {
    private let ecb: AESECB
    private let discoveryKey: AESGCM
    private let hotspotKey: AESGCM

    /// Prepares the fixed keys.
    package init() throws(TuyaProtocolError) {
        do throws(CryptoError) {
            ecb = try AESECB(key: SecretKey(FixedKeys.discovery))
            discoveryKey = try AESGCM(key: SecretKey(FixedKeys.discovery))
            hotspotKey = try AESGCM(key: SecretKey(FixedKeys.hotspot))
        } catch { throw .from(error) }
    }

    /// Tells what a datagram is; bytes behind the frame are ignored.
    package func classify(_ datagram: [UInt8]) -> DiscoveryMessage {
        do throws(TuyaProtocolError) {
            return classify(try read(datagram))
        } catch {
            return .drop(error)
        }
    }

    private func classify(_ beacon: Beacon) -> DiscoveryMessage {
        if beacon.fields["from"]?.stringValue == "app" { return .request(beacon) }
        if beacon.command == .hotspotAnnouncement || beacon.offersHotspotPairing && beacon.gatewayID == nil {
            return .hotspotDevice(beacon)
        }
        return beacon.gatewayID == nil ? .drop(.missingGatewayID) : .device(beacon)
    }

    private func read(_ datagram: [UInt8]) throws(TuyaProtocolError) -> Beacon {
        switch format(of: datagram) {
        case .classic?:
            let frame = try FrameParser(
                bytes: datagram,
                frame: try extent(of: .classic, in: datagram, minimum: 8),
                returnCodes: .whereSmall
            ).classicFrame(.crc)
            return try classicBeacon(frame)
        case .sealed?:
            let minimum = AESGCM.nonceLength + AESGCM.tagLength
            let frame = try open(datagram, try extent(of: .sealed, in: datagram, minimum: minimum))
            return try beacon(.sealed, frame.command, frame.payload)
        case nil:
            guard !datagram.isEmpty, datagram.count % 16 == 0 else { throw .unknownDatagram }
            return try beacon(.bare, nil, try decrypt(datagram))
        }
    }

    private func classicBeacon(_ frame: Frame) throws(TuyaProtocolError) -> Beacon {
        guard frame.payload.first == UInt8(ascii: "{") else {
            return try beacon(.classic, frame.command, try decrypt(frame.payload))
        }
        // Ciphertext may begin with a brace as well, depending on the device's address.
        do throws(TuyaProtocolError) {
            return try beacon(.classic, frame.command, frame.payload)
        } catch {
            guard let body = try? decrypt(frame.payload) else { throw error }
            return try beacon(.classic, frame.command, body)
        }
    }

    private func format(of datagram: [UInt8]) -> FrameFormat? {
        guard datagram.count >= FrameFormat.prefixCount else { return nil }
        let prefix = datagram.bigEndian(at: 0)
        return [FrameFormat.classic, .sealed].first { $0.prefix == prefix }
    }

    /// Where the frame at the beginning of the datagram stands.
    private func extent(
        of format: FrameFormat,
        in datagram: [UInt8],
        minimum: Int
    ) throws(TuyaProtocolError) -> Range<Int> {
        guard datagram.count >= format.headerCount else { throw .truncated }
        let length = Int(datagram.bigEndian(at: format.lengthOffset))
        let total = format.frameCount(length: length)
        guard datagram.count >= total else { throw .truncated }
        guard (minimum...StreamDecoder.standardMaximumLength).contains(length) else { throw .badLength }
        guard datagram.bigEndian(at: total - FrameFormat.suffixCount) == format.suffix else { throw .badSuffix }
        return 0..<total
    }

    private func open(_ datagram: [UInt8], _ extent: Range<Int>) throws(TuyaProtocolError) -> Frame {
        // Some senders leave the return code out, so that it is told by what follows.
        let parser = FrameParser(bytes: datagram, frame: extent, returnCodes: .never)
        let isHotspot = datagram.bigEndian(at: FrameFormat.sealed.commandOffset) == Command.hotspotAnnouncement.rawValue
        let keys = isHotspot ? [hotspotKey, discoveryKey] : [discoveryKey, hotspotKey]
        var frame: Frame
        do throws(TuyaProtocolError) {
            frame = try parser.sealedFrame(keys[0])
        } catch .gcmAuthFailed {
            frame = try parser.sealedFrame(keys[1])
        }
        if frame.payload.first != UInt8(ascii: "{"), frame.payload.count >= ReturnCodeRule.count {
            frame.payload.removeFirst(ReturnCodeRule.count)
        }
        return frame
    }

    private func decrypt(_ bytes: [UInt8]) throws(TuyaProtocolError) -> [UInt8] {
        do throws(CryptoError) {
            return try ecb.decryptPadded(bytes)
        } catch { throw .from(error) }
    }

    private func beacon(
        _ framing: Beacon.Framing,
        _ command: Command?,
        _ body: [UInt8]
    ) throws(TuyaProtocolError) -> Beacon {
        guard case .object(let fields)? = DeviceJSON.parse(body) else { throw .badJSON }
        return Beacon(framing: framing, command: command, fields: fields)
    }
}
