internal import Crypto

/// Frames of the AP+ pairing, which travel inside TLS, one in a record.
///
/// The TLS underneath protects them; the key of the frames is known to everyone. Not for use from two threads at a time.
///
/// Source: protocol description, sections 8.1 and 8.3.
package final class HotspotCodec {
    /// Devices read no larger frames.
    package static let maximumFrame = 4096

    private let key: AESGCM
    private var nonces = RandomNonces()

    /// Prepares the fixed key.
    package init() throws(TuyaProtocolError) {
        do throws(CryptoError) {
            key = try AESGCM(key: SecretKey(FixedKeys.hotspot))
        } catch { throw .from(error) }
    }

    /// A frame from the hub.
    ///
    /// - Parameter nonce: 12 bytes; random unless given.
    package func request(
        _ command: Command,
        sequence: UInt32,
        body: [UInt8],
        nonce: [UInt8]? = nil
    ) throws(TuyaProtocolError) -> [UInt8] {
        try frame(command, sequence: sequence, returnCode: nil, body: body, nonce: nonce)
    }

    /// A frame from a device, for simulators; its sequence is always 0.
    ///
    /// - Parameter returnCode: 0 = fine.
    package func answer(
        _ command: Command,
        returnCode: Int32,
        body: [UInt8],
        nonce: [UInt8]? = nil
    ) throws(TuyaProtocolError) -> [UInt8] {
        try frame(command, sequence: 0, returnCode: returnCode, body: body, nonce: nonce)
    }

    /// Reads a device's frame out of one TLS record.
    ///
    /// - Returns: `nil` for an incomplete frame.
    package func readAnswer(_ record: [UInt8]) throws(TuyaProtocolError) -> Frame? {
        try read(record, returnCodes: .always)
    }

    /// Reads the hub's frame, for simulators.
    package func readRequest(_ record: [UInt8]) throws(TuyaProtocolError) -> Frame? {
        try read(record, returnCodes: .never)
    }

    private func read(_ record: [UInt8], returnCodes: ReturnCodeRule) throws(TuyaProtocolError) -> Frame? {
        var decoder = StreamDecoder(returnCodes: returnCodes, maximumLength: Self.maximumFrame)
        decoder.append(record)
        switch decoder.next(FrameProtection(classic: nil, sealed: key)) {
        case .frame(let frame)?: return frame
        case .failure(let error)?: throw error
        case .wrongPrefix?: throw .unknownDatagram
        case nil: return nil
        }
    }

    private func frame(
        _ command: Command,
        sequence: UInt32,
        returnCode: Int32?,
        body: [UInt8],
        nonce: [UInt8]?
    ) throws(TuyaProtocolError) -> [UInt8] {
        var writer = FrameWriter(.sealed, command: command, sequence: sequence)
        let frame: [UInt8]
        do throws(CryptoError) {
            if let nonce { writer.bytes += nonce } else { try nonces.append(to: &writer.bytes) }
            // Header fields are big-endian, this one is in the order of the device's chip.
            if let returnCode { writer.bytes.appendBigEndian(UInt32(bitPattern: returnCode).byteSwapped) }
            writer.bytes += body
            frame = try writer.finishSealed(key)
        } catch { throw .from(error) }
        guard frame.count <= Self.maximumFrame else { throw .tooLong(bytes: frame.count, limit: Self.maximumFrame) }
        return frame
    }
}
