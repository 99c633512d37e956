import EventLoop
import HomeModel
import JSON
import TuyaProtocol

/// A pairing session under way.
@Loop
protocol PairingRun: AnyObject {
    /// Begins; everything after is told by the run itself.
    func begin()
    /// Takes an answer.
    func answer(_ input: JSONObject) throws(CommandError)
    /// Ends it; everything is closed on return, and nothing more is told.
    func cancel() async
    func wifiLost(_ ssid: String)
    /// A beacon on the home's network.
    func heard(_ beacon: Beacon, id: String, from source: SocketAddress)
    /// How a device of the adapter is.
    func linkChanged(_ device: VendorID, _ status: LinkStatus)
}

extension PairingRun {
    func wifiLost(_ ssid: String) {}
    func heard(_ beacon: Beacon, id: String, from source: SocketAddress) {}
    func linkChanged(_ device: VendorID, _ status: LinkStatus) {}
}
