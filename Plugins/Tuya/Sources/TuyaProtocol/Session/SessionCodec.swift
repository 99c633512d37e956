package import Crypto

/// Makes frames out of bodies and bodies out of frames, for one protocol version and the key in force.
///
/// Both ends of a connection use it: ``request(_:sequence:body:)`` at the client's, ``answer(_:sequence:body:)`` at the
/// device's. A new key needs a new codec. Not for use from two threads at a time.
///
/// Source: protocol description, sections 3.2, 3.3 and 3.5.
package final class SessionCodec {
    package let version: ProtocolVersion
    /// How received frames of this session are verified.
    package let protection: FrameProtection

    private let ecb: AESECB?
    private let gcm: AESGCM?
    private let clientHeader: VersionHeader
    private let key: SecretKey
    private var nonces = RandomNonces()

    /// - Parameters:
    ///   - version: how to talk; ``ProtocolVersion/unknown(_:)`` is refused.
    ///   - key: 16 bytes: the local key, or the session key once there is one.
    ///   - headerText: the text in version headers, where it is not that of `version` (a device that announces an
    ///     unknown version and is treated as 3.5 by the operator's wish).
    package init(version: ProtocolVersion, key: SecretKey, headerText: String? = nil) throws(TuyaProtocolError) {
        guard version.isSupported else { throw .unsupportedVersion(version.text) }
        guard key.count == LocalKey.length else { throw .cryptoFailed("a key of \(key.count) bytes") }
        self.version = version
        self.key = key
        clientHeader = VersionHeader(client: headerText ?? version.text)
        protection = try FrameProtection(version: version, key: key)
        gcm = protection.sealed
        do throws(CryptoError) {
            ecb = version.frameFormat == .classic ? try AESECB(key: key) : nil
        } catch { throw .from(error) }
    }
}

// MARK: - Writing

extension SessionCodec {
    /// A frame from the client.
    ///
    /// - Parameters:
    ///   - sequence: rises by one with each frame of a connection.
    ///   - nonce: 12 bytes for a sealed frame; only tests give it, otherwise it is random.
    ///   - body: appends the plaintext, normally JSON, and nothing else.
    package func request(
        _ command: Command,
        sequence: UInt32,
        nonce: [UInt8]? = nil,
        body: (inout [UInt8]) -> Void
    ) throws(TuyaProtocolError) -> [UInt8] {
        var draft = Draft(command: command, sequence: sequence)
        draft.header = command.carriesVersionHeader ? clientHeader : nil
        draft.nonce = nonce
        draft.usesBase64 = command == .control
        return try frame(draft, body: body)
    }

    /// A frame from the client.
    package func request(_ command: Command, sequence: UInt32, body: [UInt8]) throws(TuyaProtocolError) -> [UInt8] {
        try request(command, sequence: sequence) { $0 += body }
    }

    /// A frame from a device, for simulators.
    ///
    /// - Parameter options: what devices do differently from each other.
    package func answer(
        _ command: Command,
        sequence: UInt32,
        options: AnswerOptions = AnswerOptions(),
        body: (inout [UInt8]) -> Void
    ) throws(TuyaProtocolError) -> [UInt8] {
        var draft = Draft(command: command, sequence: sequence)
        draft.header = options.header
        draft.nonce = options.nonce
        draft.returnCode = options.returnCode
        draft.returnCodeIsLittleEndian = options.returnCodeOrder == .little
        draft.isClear = options.isClear
        draft.usesBase64 = command == .report
        return try frame(draft, body: body)
    }

    /// A frame from a device, for simulators.
    package func answer(
        _ command: Command,
        sequence: UInt32,
        options: AnswerOptions = AnswerOptions(),
        body: [UInt8]
    ) throws(TuyaProtocolError) -> [UInt8] {
        try answer(command, sequence: sequence, options: options) { $0 += body }
    }

    /// Everything that tells one frame from another, except its body.
    private struct Draft {
        var command: Command
        var sequence: UInt32
        var returnCode: Int32?
        var returnCodeIsLittleEndian = false
        var header: VersionHeader?
        var nonce: [UInt8]?
        var isClear = false
        var usesBase64 = false
    }

    private func frame(_ draft: Draft, body: (inout [UInt8]) -> Void) throws(TuyaProtocolError) -> [UInt8] {
        let frame: [UInt8]
        do throws(CryptoError) {
            frame =
                if let gcm { try sealedFrame(draft, gcm, body: body) } else { try classicFrame(draft, body: body) }
        } catch { throw .from(error) }
        let limit = StreamDecoder.standardMaximumLength
        guard frame.count <= limit else { throw .tooLong(bytes: frame.count, limit: limit) }
        return frame
    }

    private func classicFrame(_ draft: Draft, body: (inout [UInt8]) -> Void) throws(CryptoError) -> [UInt8] {
        var writer = FrameWriter(.classic, command: draft.command, sequence: draft.sequence)
        if let code = draft.returnCode { writer.bytes.appendBigEndian(UInt32(bitPattern: code)) }
        if draft.isClear {
            body(&writer.bytes)
        } else {
            switch version {
            case .v31 where draft.usesBase64: try appendBase64(&writer.bytes, body: body)
            case .v31: body(&writer.bytes)
            case .v32, .v33:
                if let header = draft.header { writer.bytes += header.bytes }
                try appendEncrypted(&writer.bytes, header: nil, draft.command, body: body)
            case .v34, .v35, .unknown:
                try appendEncrypted(&writer.bytes, header: draft.header, draft.command, body: body)
            }
        }
        return try writer.finishClassic(protection.classic ?? .crc)
    }

    private func appendEncrypted(
        _ bytes: inout [UInt8],
        header: VersionHeader?,
        _ command: Command,
        body: (inout [UInt8]) -> Void
    ) throws(CryptoError) {
        let start = bytes.count
        if let header { bytes += header.bytes }
        body(&bytes)
        guard bytes.count > start || !command.leavesEmptyBodyEmpty, let ecb else { return }
        PKCS7.pad(&bytes, from: start)
        try ecb.encryptBlocks(&bytes, from: start)
    }

    /// The form of 3.1: `3.1`, 16 characters of a digest, base64 of the ciphertext.
    private func appendBase64(_ bytes: inout [UInt8], body: (inout [UInt8]) -> Void) throws(CryptoError) {
        var plain: [UInt8] = []
        body(&plain)
        guard let ecb else { return }
        let text = Base64.encodedBytes(try ecb.encryptPadded(plain))
        var signed: [UInt8] = []
        signed.append("data=")
        signed += text
        signed.append("||lpv=3.1||")
        signed += key.exposedBytes
        bytes.append("3.1")
        bytes += Hex.encodedBytes([UInt8](try Digest.md5(signed)[4..<12]))
        bytes += text
    }

    private func sealedFrame(
        _ draft: Draft,
        _ key: AESGCM,
        body: (inout [UInt8]) -> Void
    ) throws(CryptoError) -> [UInt8] {
        var writer = FrameWriter(.sealed, command: draft.command, sequence: draft.sequence)
        if let nonce = draft.nonce {
            guard nonce.count == AESGCM.nonceLength else {
                throw .nonceLength(actual: nonce.count, expected: AESGCM.nonceLength)
            }
            writer.bytes += nonce
        } else {
            try nonces.append(to: &writer.bytes)
        }
        if let code = draft.returnCode {
            let value = UInt32(bitPattern: code)
            writer.bytes.appendBigEndian(draft.returnCodeIsLittleEndian ? value.byteSwapped : value)
        }
        if let header = draft.header { writer.bytes += header.bytes }
        body(&writer.bytes)
        return try writer.finishSealed(key)
    }
}

// MARK: - Reading

extension SessionCodec {
    /// The body of a verified frame: decrypted, without padding and version header; error texts stay as they are.
    package func plaintext(of frame: Frame) throws(TuyaProtocolError) -> [UInt8] {
        var body = frame.payload
        try decrypt(&body)
        return body
    }

    /// Decrypts the payload of a verified frame where it stands.
    package func openPayload(of frame: inout Frame) throws(TuyaProtocolError) { try decrypt(&frame.payload) }

    private func decrypt(_ payload: inout [UInt8]) throws(TuyaProtocolError) {
        guard !payload.isEmpty else { return }
        do throws(CryptoError) {
            switch version {
            case .v31: try decryptBase64(&payload)
            case .v32, .v33: try decryptBehindHeader(&payload)
            case .v34:
                guard ErrorText(payload) == nil, let ecb else { return }
                try ecb.decryptBlocks(&payload, from: 0)
                try PKCS7.removePadding(&payload, from: 0)
                removeHeader(&payload)
            case .v35, .unknown: removeHeader(&payload)
            }
        } catch {
            // Only base64 is read as text here.
            if case .malformedText = error { throw .badBase64 }
            throw .from(error)
        }
    }

    private func decryptBase64(_ payload: inout [UInt8]) throws(CryptoError) {
        let overhead = 19
        guard payload.count > overhead, payload.starts(withText: "3.1"), let ecb else { return }
        payload = try ecb.decryptPadded(try Base64.decode(payload[overhead...]))
    }

    private func decryptBehindHeader(_ payload: inout [UInt8]) throws(CryptoError) {
        guard ErrorText(payload) == nil, let ecb else { return }
        removeHeader(&payload)
        guard !payload.isEmpty, ErrorText(payload) == nil, !ClearText.isCertain(payload) else { return }
        let mayBeJSON = payload.first == UInt8(ascii: "{")
        let original = mayBeJSON ? payload : []
        do throws(CryptoError) {
            try ecb.decryptBlocks(&payload, from: 0)
            try PKCS7.removePadding(&payload, from: 0)
        } catch {
            guard mayBeJSON else { throw error }
            payload = original
        }
    }

    private func removeHeader(_ payload: inout [UInt8]) {
        if VersionHeader.isPresent(in: payload) { payload.removeFirst(VersionHeader.count) }
    }
}
