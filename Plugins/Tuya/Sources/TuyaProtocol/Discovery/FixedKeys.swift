internal import Crypto

/// Keys that are the same in every device: they hide nothing and prove nothing.
///
/// Source: protocol description, sections 2.1 and 8.1; each is the MD5 digest of an ASCII text.
package enum FixedKeys {
    /// For datagrams on UDP 6667 and 7000; MD5 of `yGAdlopoPVldABfn`.
    package static let discovery: [UInt8] = [
        0x6c, 0x1e, 0xc8, 0xe2, 0xbb, 0x9b, 0xb5, 0x9a, 0xb5, 0x0b, 0x0d, 0xaf, 0x64, 0x9b, 0x41, 0x0a,
    ]
    /// For the AP+ pairing and its beacon; MD5 of `OXLvslCvUxcTPLGO`.
    package static let hotspot: [UInt8] = [
        0xc6, 0xf2, 0x3a, 0xef, 0x1c, 0xaf, 0xb1, 0x70, 0xb8, 0xd8, 0x12, 0xd7, 0x50, 0x9c, 0x8e, 0x6d,
    ]
}
