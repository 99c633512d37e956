import Testing
import TuyaProtocol

/// The versions of the LAN protocol, with a name for test output.
enum LampVersion: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case v31 = "3.1"
    case v32 = "3.2"
    case v33 = "3.3"
    case v34 = "3.4"
    case v35 = "3.5"

    var version: ProtocolVersion { ProtocolVersion(text: rawValue) }
    var testDescription: String { rawValue }
}
