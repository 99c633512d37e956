internal import Crypto

/// Reads one complete frame whose prefix, length and suffix have been checked.
struct FrameParser {
    let bytes: [UInt8]
    let frame: Range<Int>
    let returnCodes: ReturnCodeRule

    /// Verifies and splits the frame.
    func event(_ format: FrameFormat, _ protection: FrameProtection) -> StreamEvent {
        do throws(TuyaProtocolError) {
            switch format {
            case .classic:
                guard let classic = protection.classic else { break }
                return .frame(try classicFrame(classic))
            case .sealed:
                guard let key = protection.sealed else { break }
                return .frame(try sealedFrame(key))
            }
            return .wrongPrefix(format, command: command(format))
        } catch {
            return .failure(error)
        }
    }

    func classicFrame(_ protection: FrameProtection.Classic) throws(TuyaProtocolError) -> Frame {
        let codeStart = frame.upperBound - FrameFormat.suffixCount - protection.codeCount
        switch protection {
        case .crc:
            let checksum = CRC32.checksum(bytes, in: frame.lowerBound..<codeStart)
            guard checksum == bytes.bigEndian(at: codeStart) else { throw .crcMismatch }
        case .hmac(let key):
            let code: [UInt8]
            do throws(CryptoError) {
                code = try key.code(for: bytes, in: frame.lowerBound..<codeStart)
            } catch { throw .from(error) }
            guard ConstantTime.equal(code[...], bytes[codeStart..<(codeStart + HMACSHA256.length)]) else {
                throw .hmacMismatch
            }
        }
        var payload = (frame.lowerBound + FrameFormat.classic.headerCount)..<codeStart
        let returnCode = returnCodes.classicCode(in: bytes, payload: payload)
        if returnCode != nil { payload = (payload.lowerBound + ReturnCodeRule.count)..<payload.upperBound }
        return Frame(
            format: .classic,
            sequence: sequence(.classic),
            command: command(.classic),
            returnCode: returnCode,
            payload: [UInt8](bytes[payload])
        )
    }

    func sealedFrame(_ key: AESGCM) throws(TuyaProtocolError) -> Frame {
        var message = [UInt8](bytes[frame])
        let textStart = FrameFormat.sealed.headerCount + AESGCM.nonceLength
        let tagStart = message.count - FrameFormat.suffixCount - AESGCM.tagLength
        let layout = AESGCM.Layout(
            nonce: FrameFormat.sealed.headerCount..<textStart,
            additional: FrameFormat.prefixCount..<FrameFormat.sealed.headerCount,
            text: textStart..<tagStart,
            tag: tagStart..<(tagStart + AESGCM.tagLength)
        )
        do throws(CryptoError) {
            try key.open(&message, layout: layout)
        } catch { throw .from(error) }
        let command = command(.sealed)
        let returnCode = returnCodes.sealedCode(in: message, plaintext: layout.text, command: command)
        message.removeLast(message.count - tagStart)
        message.removeFirst(textStart + (returnCode == nil ? 0 : ReturnCodeRule.count))
        return Frame(
            format: .sealed,
            sequence: sequence(.sealed),
            command: command,
            returnCode: returnCode,
            payload: message
        )
    }

    private func sequence(_ format: FrameFormat) -> UInt32 {
        bytes.bigEndian(at: frame.lowerBound + format.sequenceOffset)
    }

    private func command(_ format: FrameFormat) -> Command {
        Command(rawValue: bytes.bigEndian(at: frame.lowerBound + format.commandOffset))
    }
}
