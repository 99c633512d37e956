internal import CCrypto

/// AES-128-GCM or AES-256-GCM under one key, with a 12-byte nonce and a 16-byte tag.
///
/// The key schedules are made once. Not for use from two threads at a time. The caller must never seal twice with the
/// same nonce.
package final class AESGCM {
    /// Bytes of a nonce.
    package static let nonceLength = 12
    /// Bytes of a tag.
    package static let tagLength = 16

    /// Where the parts of a message stand in one buffer; none may overlap another.
    package struct Layout: Equatable, Sendable {
        /// 12 bytes.
        package var nonce: Range<Int>
        /// Bytes that are authenticated but not encrypted.
        package var additional: Range<Int>
        /// Plaintext before, ciphertext after sealing.
        package var text: Range<Int>
        /// 16 bytes.
        package var tag: Range<Int>

        /// Describes a message.
        package init(nonce: Range<Int>, additional: Range<Int>, text: Range<Int>, tag: Range<Int>) {
            self.nonce = nonce
            self.additional = additional
            self.text = text
            self.tag = tag
        }

        fileprivate func check(bufferCount: Int) throws(CryptoError) {
            guard nonce.count == nonceLength else { throw .nonceLength(actual: nonce.count, expected: nonceLength) }
            guard tag.count == tagLength else { throw .tagLength(actual: tag.count, expected: tagLength) }
            let all = 0..<bufferCount
            precondition(
                all.contains(nonce) && all.contains(tag) && all.contains(text) && all.contains(additional),
                "a part lies outside the message"
            )
        }
    }

    private let encryption: CipherContext
    private let decryption: CipherContext

    /// - Parameter key: 16 or 32 bytes.
    package init(key: SecretKey) throws(CryptoError) {
        let isLong = key.count == 32
        let cipher = isLong ? Algorithms.aes256GCM : Algorithms.aes128GCM
        let length = isLong ? 32 : 16
        encryption = try CipherContext(cipher, key: key, keyLength: length, direction: .encrypt)
        decryption = try CipherContext(cipher, key: key, keyLength: length, direction: .decrypt)
    }

    /// Encrypts the text of a message in place and writes its tag.
    package func seal(_ message: inout [UInt8], layout: Layout) throws(CryptoError) {
        try layout.check(bufferCount: message.count)
        let sealed = unsafe message.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress, unsafe Self.run(encryption, at: base, layout: layout) else {
                return false
            }
            var written: Int32 = 0
            return unsafe EVP_CipherFinal_ex(encryption.raw, base + layout.text.upperBound, &written) == 1
                && EVP_CIPHER_CTX_ctrl(
                    encryption.raw,
                    EVP_CTRL_AEAD_GET_TAG,
                    Int32(Self.tagLength),
                    base + layout.tag.lowerBound
                ) == 1
        }
        guard sealed else { throw .fromLibrary("seal AES-GCM") }
    }

    /// Decrypts the text of a message in place after checking its tag.
    ///
    /// - Throws: ``CryptoError/authenticationFailed``; the text is then undefined.
    package func open(_ message: inout [UInt8], layout: Layout) throws(CryptoError) {
        try layout.check(bufferCount: message.count)
        var isAuthentic = false
        let ran = unsafe message.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress, unsafe Self.run(decryption, at: base, layout: layout),
                unsafe EVP_CIPHER_CTX_ctrl(
                    decryption.raw,
                    EVP_CTRL_AEAD_SET_TAG,
                    Int32(Self.tagLength),
                    base + layout.tag.lowerBound
                ) == 1
            else { return false }
            var written: Int32 = 0
            isAuthentic =
                unsafe EVP_CipherFinal_ex(decryption.raw, base + layout.text.upperBound, &written) == 1
            return true
        }
        guard ran else { throw .fromLibrary("open AES-GCM") }
        guard isAuthentic else {
            ERR_clear_error()
            throw .authenticationFailed
        }
    }

    /// Encrypts `plaintext`; the result is ciphertext and tag.
    package func seal(
        _ plaintext: [UInt8],
        nonce: [UInt8],
        additional: [UInt8] = []
    ) throws(CryptoError) -> [UInt8] {
        let tag = [UInt8](repeating: 0, count: Self.tagLength)
        var message = nonce + additional + plaintext + tag
        let layout = Self.layout(nonce: nonce.count, additional: additional.count, text: plaintext.count)
        try seal(&message, layout: layout)
        message.removeFirst(layout.text.lowerBound)
        return message
    }

    /// Decrypts what ``seal(_:nonce:additional:)`` made.
    package func open(
        _ sealed: [UInt8],
        nonce: [UInt8],
        additional: [UInt8] = []
    ) throws(CryptoError) -> [UInt8] {
        let textCount = sealed.count - Self.tagLength
        guard textCount >= 0 else { throw .tagLength(actual: sealed.count, expected: Self.tagLength) }
        var message = nonce + additional + sealed
        let layout = Self.layout(nonce: nonce.count, additional: additional.count, text: textCount)
        try open(&message, layout: layout)
        return [UInt8](message[layout.text])
    }

    private static func layout(nonce: Int, additional: Int, text: Int) -> Layout {
        let textStart = nonce + additional
        let tagStart = textStart + text
        return Layout(
            nonce: 0..<nonce,
            additional: nonce..<textStart,
            text: textStart..<tagStart,
            tag: tagStart..<(tagStart + tagLength)
        )
    }

    /// Everything up to the final step, which differs between sealing and opening.
    private static func run(
        _ context: borrowing CipherContext,
        at base: UnsafeMutablePointer<UInt8>,
        layout: Layout
    ) -> Bool {
        guard unsafe context.restart(vector: base + layout.nonce.lowerBound),
            let additionalCount = Int32(exactly: layout.additional.count)
        else { return false }
        var written: Int32 = 0
        let additional = unsafe base + layout.additional.lowerBound
        guard
            unsafe additionalCount == 0
                || EVP_CipherUpdate(context.raw, nil, &written, additional, additionalCount) == 1
        else { return false }
        return unsafe context.update(inPlace: base + layout.text.lowerBound, count: layout.text.count)
    }
}

extension Range<Int> {
    /// Whether `other` lies inside; an empty range at either end does.
    fileprivate func contains(_ other: Range<Int>) -> Bool {
        other.lowerBound >= lowerBound && other.upperBound <= upperBound
    }
}
