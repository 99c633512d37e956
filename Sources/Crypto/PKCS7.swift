/// PKCS#7 padding to the AES block of 16 bytes.
package enum PKCS7 {
    static let block = 16

    /// Length after padding; always longer, by 1...16.
    package static func paddedCount(_ count: Int) -> Int { (count / block + 1) * block }

    /// Pads what stands in `bytes` from `start` on to a whole number of blocks.
    package static func pad(_ bytes: inout [UInt8], from start: Int) {
        let missing = block - (bytes.count - start) % block
        for _ in 0..<missing { bytes.append(UInt8(missing)) }
    }

    /// Removes the padding at the end of what stands in `bytes` from `start` on.
    ///
    /// - Throws: ``CryptoError/badPadding`` unless the last byte is 1...16 and all padding bytes equal it.
    package static func removePadding(_ bytes: inout [UInt8], from start: Int) throws(CryptoError) {
        let length = bytes.count - start
        guard length > 0, length % block == 0, let last = bytes.last, (1...block).contains(Int(last)) else {
            throw .badPadding
        }
        for index in (bytes.count - Int(last))..<bytes.count where bytes[index] != last { throw .badPadding }
        bytes.removeLast(Int(last))
    }
}
