/// The text that `nmcli connection up … passwd-file` reads secrets from.
enum PasswordFile {
    /// The line with a network's password; nil for one that no line can hold.
    ///
    /// nmcli (1.42, `nmc_utils_parse_passwd_file`) cuts white space off and takes `\` for an escape.
    static func line(passphrase: String) -> [UInt8]? {
        var line = Array("802-11-wireless-security.psk:".utf8)
        for byte in passphrase.utf8 {
            switch byte {
            case 0, UInt8(ascii: "\n"), UInt8(ascii: "\r"): return nil
            case UInt8(ascii: "\\"), UInt8(ascii: " "): line += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\t"): line += Array("\\t".utf8)
            default: line.append(byte)
            }
        }
        return line + [UInt8(ascii: "\n")]
    }
}
