/// The vendor's numbers for what goes wrong in pairing.
///
/// Source: protocol description, section 8.8; the numbers that are not published are never used.
package enum PairingErrorCode: Int, CaseIterable, Sendable {
    case noChannel = 207_201
    case unknownDeviceState = 207_206
    case listNotSupported = 207_207
    case wrongInformation = 207_209
    case routerNotFound = 207_210
    case wrongPassword = 207_211
    case cannotConnectToRouter = 207_212
    case noAddress = 207_213
    case cloudActivationFailed = 207_214
    case cannotConnectToCloud = 207_215
    case activationRequestFailed = 207_216
    case cloudRequestFailed = 207_218
    case cloudNotFound = 207_219
    case timedOut = 207_220
    case listFailed = 207_222

    /// The error for a number that a device reports; `nil` for 0, 9 and numbers that nobody knows.
    package init?(deviceCode: Int) {
        switch deviceCode {
        case 1: self = .wrongInformation
        case 2: self = .routerNotFound
        case 3: self = .wrongPassword
        case 4: self = .cannotConnectToRouter
        case 5: self = .noAddress
        case 6: self = .cannotConnectToCloud
        case 7: self = .cloudNotFound
        case 8: self = .activationRequestFailed
        default: return nil
        }
    }
}
