/// Why a step of a pairing failed, as a code; plugins may add their own, in lower case with underscores.
///
/// Every ``ErrorCode`` may stand here, too. Source: mqtt-conventions, section 5.
public struct PairingCode: Hashable, Sendable, RawRepresentable, ExpressibleByStringLiteral {
    /// The code as it is published.
    public let rawValue: String

    /// Wraps a code.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Wraps a literal code.
    public init(stringLiteral value: String) { rawValue = value }
    /// The code of a failed request.
    public init(_ code: ErrorCode) { rawValue = code.rawValue }

    /// The device takes networks of 2.4 GHz only, and this one has 5 GHz only.
    public static let only5GHz: PairingCode = "wifi_5ghz_only"
    /// The network refused the password.
    public static let wrongPassword: PairingCode = "wifi_wrong_password"
    /// The device did not find the network.
    public static let networkNotFound: PairingCode = "wifi_not_found"
    /// The device found the network and could not join it.
    public static let joinFailed: PairingCode = "wifi_join_failed"
    /// The network gave the device no address.
    public static let noLease: PairingCode = "no_dhcp_lease"
    /// There is no hotspot of a device in reach.
    public static let hotspotNotFound: PairingCode = "ap_not_found"
    /// The device's hotspot is of another mode than the method needs.
    public static let hotspotWrongMode: PairingCode = "ap_wrong_mode"
    /// The gateway's own radio cannot join the hotspot.
    public static let hotspotJoinFailed: PairingCode = "ap_join_failed"
    /// There is no radio that may leave its network.
    public static let noRadio: PairingCode = "no_radio"
    /// The device said no to what it was sent.
    public static let credentialsRejected: PairingCode = "device_rejected_credentials"
    /// There is no way to talk with the device.
    public static let noChannel: PairingCode = "device_unreachable"
    /// The device answered with something that makes no sense.
    public static let deviceConfused: PairingCode = "device_state_unknown"
    /// The device cannot do what the method needs.
    public static let unsupportedMethod: PairingCode = "unsupported_method"
    /// The device was not seen on the home's network.
    public static let notOnLAN: PairingCode = "not_on_lan"
    /// There is no key for the device.
    public static let keyMissing: PairingCode = "key_missing"
    /// The device refuses the key.
    public static let handshakeFailed: PairingCode = "handshake_failed"
    /// The code that is printed on the device is another one.
    public static let wrongVerificationCode: PairingCode = "verification_code_wrong"
    /// Somebody else's account has the device.
    public static let alreadyBound: PairingCode = "already_bound"
    /// The vendor's cloud cannot be reached.
    public static let cloudUnreachable: PairingCode = "cloud_unreachable"
    /// The vendor's cloud refused the device.
    public static let activationFailed: PairingCode = "activation_failed"
    /// The pairing token is too old or was used.
    public static let tokenExpired: PairingCode = "token_expired"
    /// The account wants a second factor.
    public static let twoFactorRequired: PairingCode = "two_factor_required"
    /// The gateway or the plugin was restarted in between.
    public static let interrupted: PairingCode = "interrupted"
}
