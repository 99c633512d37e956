/// The record sizes that a client may ask for; the raw value is the number on the wire (RFC 6066, section 4).
package enum TLSFragmentLength: UInt8, Sendable, CaseIterable {
    case bytes512 = 1
    case bytes1024 = 2
    case bytes2048 = 3
    case bytes4096 = 4

    /// The most plaintext that a record may carry.
    package var bytes: Int { 256 << Int(rawValue) }
}
