package import EventLoop
package import JSON
package import TuyaProtocol

/// What pairing needs of the vendor's cloud.
///
/// Every call takes a deadline that covers waiting for its turn, repeating and backing off, and ends early with
/// ``CloudError/Reason/cancelled`` when its task is cancelled. Calls may overlap. After pairing none of this is needed
/// again.
@Loop
package protocol PairingCloud: AnyObject {
    /// The security configuration that the operator gave for devices that want one; empty: devices use their own.
    var securityConfiguration: JSONObject { get }

    /// The homes of the account's user, in the cloud's order.
    func homes(within deadline: Duration) async throws(CloudError) -> [CloudHome]

    /// A new pairing token; never one that was handed out before.
    ///
    /// - Parameter home: a home's id; nil for the user's own default.
    func ticket(home: String?, within deadline: Duration) async throws(CloudError) -> PairingTicket

    /// What became of a token; never repeated within the call except for a new access token.
    ///
    /// - Throws: only what says nothing about the token; a refused question is ``PairingPoll/cloudError(_:)``.
    func poll(_ token: PairingToken, within deadline: Duration) async throws(CloudError) -> PairingPoll

    /// A device of the account with its local key.
    func device(_ id: String, within deadline: Duration) async throws(CloudError) -> CloudDevice

    /// All devices of the account, page by page; without their data points.
    func devices(within deadline: Duration) async throws(CloudError) -> [CloudDevice]

    /// The device's data points in a form that ``DeviceSchema/init(json:)`` reads; nil where the cloud has none.
    func specification(_ id: String, within deadline: Duration) async throws(CloudError) -> JSON?

    /// Takes a device out of the account, which makes it forget its local key and wait to be paired.
    ///
    /// To be called only when a person asked for it by name.
    func unbind(_ id: String, within deadline: Duration) async throws(CloudError)
}
