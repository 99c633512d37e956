import Crypto

/// Bytes written as hex in a test; blanks are skipped.
func hex(_ text: String) throws -> [UInt8] { try Hex.decode(text.utf8.filter { $0 != 0x20 && $0 != 0x0A }) }

/// The bytes of an ASCII text.
func ascii(_ text: String) -> [UInt8] { [UInt8](text.utf8) }
