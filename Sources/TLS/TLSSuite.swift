/// The cipher suites that pre-shared-key peers here can agree on; the raw value is the number on the wire.
package enum TLSSuite: UInt16, Sendable, CaseIterable {
    /// TLS_ECDHE_PSK_WITH_AES_128_CBC_SHA256 (RFC 5489).
    case ecdhePSKWithAES128CBCSHA256 = 0xC037
    /// TLS_ECDHE_PSK_WITH_AES_128_CBC_SHA (RFC 5489).
    case ecdhePSKWithAES128CBCSHA = 0xC035

    /// OpenSSL's name.
    var name: String {
        switch self {
        case .ecdhePSKWithAES128CBCSHA256: "ECDHE-PSK-AES128-CBC-SHA256"
        case .ecdhePSKWithAES128CBCSHA: "ECDHE-PSK-AES128-CBC-SHA"
        }
    }
}
