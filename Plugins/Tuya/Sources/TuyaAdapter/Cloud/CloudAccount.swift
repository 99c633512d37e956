package import Crypto
package import JSON
package import TuyaProtocol

/// An account of the vendor's cloud: a project of its console together with the user of an app account linked to it.
package struct CloudAccount: Equatable, Sendable {
    /// The name of an account that was given without one.
    package static let defaultName = "default"
    /// What the name of a secret of the plugin begins with that holds an account.
    package static let secretPrefix = "account:"

    package var name: String
    package var address: CloudAddress
    /// The project's id.
    package var clientID: String
    package var secret: SecretKey
    package var algorithm = CloudSigner.Algorithm.current
    /// The user's id, who the homes and devices belong to.
    package var uid: String
    /// Homes of the cloud by the id of the gateway's home.
    package var homes: [String: String] = [:]
    /// `Area/Place`; nil: this machine's.
    package var timeZone: String?
    /// What devices with security levels are told; empty: nothing.
    package var securityConfiguration = JSONObject()
    /// The authorities that are trusted; nil: those of the system.
    package var caFile: String?
    /// Plaintext is taken although the cloud is on another machine.
    package var isInsecure = false

    /// An account of which nothing else is known.
    package init(
        name: String = defaultName,
        address: CloudAddress,
        clientID: String,
        secret: SecretKey,
        uid: String
    ) {
        self.name = name
        self.address = address
        self.clientID = clientID
        self.secret = secret
        self.uid = uid
    }

    /// The name of the plugin's secret that holds this account.
    package var secretName: String { Self.secretPrefix + name }
}
