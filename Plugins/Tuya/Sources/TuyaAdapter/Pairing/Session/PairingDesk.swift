import DeviceInterface
import EventLoop
import HomeModel
import JSON
import TuyaProtocol

/// What pairing sessions need of the adapter, the gateway and the cloud.
@Loop
final class PairingDesk {
    let host: any AdapterHost
    let store: PairedStore
    private weak var adapter: TuyaAdapter?
    private let maker: TuyaAdapter.CloudMaker
    private(set) var account: CloudAccount?
    private(set) var cloud: (any PairingCloud)?
    private var tasks: [String: Task<Void, Never>] = [:]

    /// How long a call to the cloud may take.
    private static let patience = Duration.seconds(15)

    private static let keyMark = "key of "

    init(
        _ adapter: TuyaAdapter,
        host: any AdapterHost,
        account: CloudAccount?,
        makeCloud: @escaping TuyaAdapter.CloudMaker
    ) {
        self.adapter = adapter
        self.host = host
        maker = makeCloud
        store = PairedStore(host: host)
        self.account = account
        cloud = account.map(makeCloud)
    }

    var settings: PairingSettings {
        var settings = adapter?.config.pairing ?? PairingSettings()
        settings.registration = cloud?.securityConfiguration ?? [:]
        return settings
    }
    var hasCloud: Bool { cloud != nil }

    /// Everything that runs for devices that were paired ends.
    func stop() async {
        for (name, task) in tasks where !name.hasPrefix(Self.keyMark) { task.cancel() }
        for task in Array(tasks.values) { await task.value }
        await store.flush()
    }

    // MARK: The account

    /// A cloud for an account that is being tried.
    func makeCloud(_ account: CloudAccount) -> any PairingCloud { maker(account) }

    /// Whether the account stands in the configuration, which wins.
    var isConfigured: Bool { adapter?.config.accounts.isEmpty == false }

    /// The configuration has another account now, or none; then what was kept counts from the next start on.
    func configured(_ account: CloudAccount?) {
        self.account = account
        cloud = account.map(maker)
    }

    /// Takes a device out of the account, so that it waits to be paired.
    func unbind(_ id: String) async throws(CommandError) {
        guard let cloud else {
            throw CommandError(
                .capabilityMissing,
                "Over the LAN a device cannot be told to forget its pairing, and no account is known.",
                hint: "Remove it in the vendor's app, or remove it here without unpairing."
            )
        }
        do throws(CloudError) { try await cloud.unbind(id, within: Self.patience) } catch {
            throw CommandError(.cloudError, error.message, hint: error.hint, vendorCode: error.code)
        }
    }

    /// Keeps an account, and uses it from now on.
    func use(_ account: CloudAccount, _ cloud: any PairingCloud) async throws(CommandError) {
        try await host.storeSecret(account.exposedText, name: account.secretName, device: nil)
        self.account = account
        self.cloud = cloud
    }

    // MARK: The cloud

    /// A pairing token for a home of the account: the one that the account names for the gateway's, the one that is called
    /// the same, or the user's default.
    func ticket(home: HomeID?) async -> Result<PairingTicket, PairingFailure> {
        guard let cloud else { return .failure(Self.noCloud(.token)) }
        do throws(CloudError) {
            var id = home.flatMap { account?.homes[$0.text] }
            if let home, id == nil {
                let homes = try await cloud.homes(within: Self.patience)
                id = homes.first { Self.slug($0.name) == home.text || $0.id == home.text }?.id
            }
            return .success(try await cloud.ticket(home: id, within: Self.patience))
        } catch { return .failure(PairingFailure(error, step: .token)) }
    }

    func poll(_ token: PairingToken) async -> Result<PairingPoll, PairingFailure> {
        guard let cloud else { return .failure(Self.noCloud(.deviceJoins)) }
        do throws(CloudError) {
            return .success(try await cloud.poll(token, within: Self.patience))
        } catch { return .failure(PairingFailure(error, step: .deviceJoins)) }
    }

    func device(_ id: String) async -> (Result<CloudDevice, PairingFailure>, Bool) {
        guard let cloud else { return (.failure(Self.noCloud(.findOnLAN)), false) }
        do throws(CloudError) {
            return (.success(try await cloud.device(id, within: Self.patience)), false)
        } catch { return (.failure(PairingFailure(error, step: .findOnLAN)), error.isRetryable) }
    }

    static func noCloud(_ step: PairingStep) -> PairingFailure {
        PairingFailure(
            CloudError(.notConfigured, "No account with the vendor's cloud is known."),
            step: step
        )
    }

    private static func slug(_ text: String) -> String {
        HomeID.derived(from: text, isTaken: { _ in false }, digest: { _ in "" }).text
    }

    // MARK: Devices

    /// Ids of devices that were seen and are paired, with whomever.
    var activatedIDs: Set<String> {
        guard let adapter else { return [] }
        let seen = adapter.table.ids.filter { adapter.table[$0]?.isActivated != false }
        return Set(seen).union(adapter.devices.keys.map(\.text))
    }

    /// Takes a device in and connects to it.
    ///
    /// - Returns: how its connection is, nil for a sub-device.
    func adopt(_ device: PairedDevice, at place: SocketAddress?) -> LinkStatus? {
        adapter?.adopt(device, at: place, session: nil)
    }

    /// Gets the data points of a device that was just paired, where the cloud knows them; the device is controlled meanwhile
    /// by what it reports.
    func completeSchema(of id: String) {
        guard let cloud, store.options[id]?["schema"] == nil else { return }
        tasks[id] = Task { @Loop [weak self] in
            let schema = try? await cloud.specification(id, within: Self.patience)
            guard let self else { return }
            if let schema, !Task.isCancelled { adapter?.learn(schema: schema, of: id) }
            tasks[id] = nil
        }
    }

    /// Keeps a key for a device that the gateway knows and that cannot be described anew yet.
    func keep(_ key: String, of device: VendorID) {
        let name = Self.keyMark + device.text
        let before = tasks[name]
        tasks[name] = Task { @Loop [weak self] in
            await before?.value
            do throws(CommandError) {
                try await self?.host.storeSecret(key, name: DeviceSettings.localKeyName, device: device)
            } catch {
                self?.adapter?.house?.log(.warning, "a key cannot be kept", ["reason": error.message])
            }
            self?.tasks[name] = nil
        }
    }

    /// A session looks for devices from now on, or no more.
    func seek(_ isSought: Bool) { adapter?.house?.seek(isSought) }

    func log(_ note: SessionNote, session: PairingID) {
        adapter?.house?.log(note.level, note.message, note.metadata.merging(["session": session.text]) { $1 })
    }

    /// Whether the gateway has an address in the network of `address`.
    static func isNear(_ address: String) -> Bool {
        guard let target = SocketAddress(ip: address, port: 0)?.ipv4, let own = try? NetworkInterface.all() else {
            return false
        }
        return own.contains { $0.isUp && $0.ipv4 & $0.netmask == target & $0.netmask }
    }
}
