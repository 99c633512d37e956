import DeviceInterface
import EventLoop
import HomeModel

/// What all lines share.
@Loop
final class TuyaHouse {
    let host: any AdapterHost
    let rules: SessionRules
    let catalog: ProductCatalog
    let learned: LearnedStore
    /// Called when the number of devices whose place is looked for becomes or leaves zero.
    var onSearchChange: (@Loop () -> Void)?
    /// Called when the connection to a device came or went.
    var onLinkChange: (@Loop (VendorID, LinkStatus) -> Void)?
    /// Sub-devices that hubs spoke of and nobody knows, for diagnostics.
    private(set) var strangers: [String: String] = [:]

    private var sought = 0 {
        didSet { if (sought == 0) != (oldValue == 0) { onSearchChange?() } }
    }

    private static let strangerLimit = 256

    init(host: any AdapterHost, rules: SessionRules, catalog: ProductCatalog, learned: LearnedStore) {
        self.host = host
        self.rules = rules
        self.catalog = catalog
        self.learned = learned
    }

    /// Whether the place of any device is looked for.
    var isSearching: Bool { sought > 0 }

    /// A device is looked for from now on, or no more.
    func seek(_ isSought: Bool) { sought += isSought ? 1 : -1 }

    /// Notes a sub-device that nobody knows.
    ///
    /// - Returns: whether it is the first time.
    func note(stranger child: String, on hub: String) -> Bool {
        guard strangers[child] == nil, strangers.count < Self.strangerLimit else { return false }
        strangers[String(child.prefix(64))] = hub
        return true
    }

    func log(_ level: SessionNote.Level, _ message: String, _ metadata: [String: String] = [:]) {
        host.log(AdapterLogRecord(level: level.rawValue, message: message, metadata: metadata))
    }
}
