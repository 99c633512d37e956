package import EventLoop
package import HomeModel
import JSON
import TuyaProtocol

/// A pairing in a device's hotspot, old process or new, as a value: events go in, ``HotspotEffect`` comes out, and time is
/// told from outside.
///
/// The holder feeds it with ``handle(_:at:)``, performs what ``drain()`` gives and calls ``timeout(at:)`` at ``deadline``.
///
/// ```
/// token ─► hotspot ─► joining ─► recognising ┬─► opening ─► querying ─► listing ─► [asking] ─► configuring ─┐
///                        ▲                   └─► [asking] ─► sending ───────────────────────────────────────┤
///                        │  the hotspot came back: what went wrong is asked, the network asked for again    ▼
///                        └───────────────────────────────────────────────────────── awaiting ◄───────── leaving
///                                                                                      └─► fetching ─► finding ─► over
/// ```
///
/// Source: protocol description, sections 6 to 8.
package struct HotspotMachine: Sendable {
    /// The two ways in which devices take credentials.
    package enum Process: String, Sendable { case legacy, plus }

    package enum Phase: Equatable, Sendable {
        case idle
        case fetchingToken
        case scanning
        /// Waits for a person.
        case asking(Question)
        case joining
        /// In the hotspot; which process is it?
        case recognising
        case opening
        case querying
        /// The hotspot came back; the device is asked why.
        case reporting
        case listing
        /// The credentials are out, in the new process.
        case configuring
        /// Credentials go out again and again, in the old process.
        case sending
        /// The hotspot came back in the old process, and is listened to.
        case listening
        case leaving
        /// The device joins the network, or not.
        case awaiting
        /// It is paired; its key is fetched.
        case fetching
        case finding
        case handshaking
        case over
    }

    package enum Question: Equatable, Sendable { case hotspot, network, code, token, sameWiFi }

    /// What goes on when a token is there.
    enum Continuation: Sendable { case approach, send }

    package let order: HotspotOrder
    let settings: PairingSettings
    private let names: HotspotNames
    private var effects: [HotspotEffect] = []

    package internal(set) var phase = Phase.idle
    package internal(set) var process: Process?
    var step = PairingStep.preflight
    var steps: [PairingStep]
    /// What programs may want to know; goes out with each progress.
    var facts = JSONObject()
    /// The question that is open.
    package internal(set) var form: InputForm?
    /// Names that were offered as hotspots.
    var offered: [String] = []

    // Credentials.
    var ssid: String?
    var password: String?
    var ticket: PairingTicket?
    var continuation = Continuation.approach
    /// The token was refused, or given to a device that did not get on: another one is needed.
    var tokenIsSpent = false

    // The hotspot.
    var hotspot: String?
    var place: WiFiPlace?
    var deviceAddress: String?
    var pincode: String?
    var device: HotspotDevice?
    var heardBeacon = false
    var networks: [WiFiNetwork] = []
    var listTrouble: PairingErrorCode?
    var refusals = 0
    /// Between ``HotspotEffect/openChannel(_:)`` and the channel's end.
    var channelIsOpen = false
    /// The channel's handshake is over.
    var channelIsUp = false
    var oldChannelIsOpen = false
    var secondPartIsDue = false
    var isListening = false
    /// The radio has not been brought back since it was asked to move.
    var isAway = false
    /// Credentials were sent, and the hotspot was left for that.
    var hasLeft = false
    var mustSend = false

    // What became of it.
    var pollIsOut = false
    var pollFailingSince: MonotonicTime?
    var isWatching = false
    var wasSeenInactive = false
    var lastSighting: LANSighting?
    var isSecurityLevel = false
    var pairedID: String?
    var adopted: CloudDevice?
    var lastTrouble: LinkFailure?

    // Time.
    var overall: MonotonicTime?
    var sentAt: MonotonicTime?
    var stateDeadline: MonotonicTime?
    var nextAttempt: MonotonicTime?
    var nextPoll: MonotonicTime?
    var nextLook: MonotonicTime?

    package init(_ order: HotspotOrder, settings: PairingSettings) {
        self.order = order
        self.settings = settings
        names = HotspotNames(others: settings.hotspotPrefixes)
        steps = order.method.steps
        ssid = order.ssid
        password = order.password
        hotspot = order.hotspot
        pincode = order.pincode
    }

    var times: PairingTimes { settings.times }

    /// What is to be done now; the holder calls this after every call to the machine.
    package mutating func drain() -> [HotspotEffect] {
        guard !effects.isEmpty else { return [] }
        var taken: [HotspotEffect] = []
        swap(&taken, &effects)
        return taken
    }

    mutating func emit(_ effect: HotspotEffect) { effects.append(effect) }

    mutating func note(_ level: SessionNote.Level, _ message: String, _ metadata: [String: String] = [:]) {
        emit(.note(SessionNote(level, message, metadata)))
    }

    /// The hotspots among networks.
    func hotspots(in networks: [WiFiSighting]) -> [(network: WiFiSighting, match: HotspotNames.Match)] {
        names.hotspots(in: networks)
    }

    // MARK: Beginning and end

    /// Begins.
    package mutating func start(at now: MonotonicTime) {
        tell(.preflight, "Checking what the pairing needs.")
        if let text = order.token {
            guard let token = PairingToken(text) else {
                return fail(
                    PairingErrorCode.wrongInformation.failure(
                        "The token is not one: it has 14 characters, region, token and secret in one.",
                        step: .preflight
                    )
                )
            }
            ticket = PairingTicket(token: token, home: nil, asked: now)
        } else if !order.hasCloud {
            return fail(
                PairingFailure(
                    "account_missing",
                    "A device needs a pairing token of the vendor's cloud, and no account is known.",
                    hint: "Name an account with the method account, or give a token from elsewhere as \"token\".",
                    step: PairingStep.preflight.rawValue,
                    retryFrom: PairingStep.preflight.rawValue
                )
            )
        }
        needToken(for: .approach, now)
    }

    /// Ends without a word: everything is closed and the radio comes back.
    package mutating func stop() {
        guard phase != .over else { return }
        cleanUp()
    }

    /// Whether it has come to its end.
    package var isOver: Bool { phase == .over }

    mutating func fail(_ failure: PairingFailure) {
        guard phase != .over else { return }
        var failure = failure
        if failure.step == nil { failure.step = step.rawValue }
        cleanUp()
        emit(
            .tell(
                PairingProgress(
                    session: order.session,
                    state: .failed,
                    step: failure.step ?? step.rawValue,
                    steps: steps.map(\.rawValue),
                    message: failure.message,
                    failure: failure,
                    data: facts
                )
            )
        )
    }

    mutating func succeed(_ id: String, _ message: String) {
        step = .register
        cleanUp()
        emit(
            .tell(
                PairingProgress(
                    session: order.session,
                    state: .succeeded,
                    step: PairingStep.register.rawValue,
                    steps: steps.map(\.rawValue),
                    percent: 100,
                    message: message,
                    devices: [VendorID(id)],
                    data: facts
                )
            )
        )
    }

    private mutating func cleanUp() {
        closeAll()
        if isWatching { emit(.watchLAN(false)) }
        isWatching = false
        phase = .over
        form = nil
        password = nil
        ticket = nil
        overall = nil
        stateDeadline = nil
        nextAttempt = nil
        nextPoll = nil
        nextLook = nil
    }

    /// Closes everything that is open in the hotspot and brings the radio back.
    mutating func closeAll() {
        closeHotspot()
        if isAway { emit(.leave) }
        isAway = false
        place = nil
    }

    /// Closes what is open in the hotspot, where the radio stays.
    mutating func closeHotspot() {
        closeChannel()
        closeOldChannel()
        if isListening { emit(.stopListening) }
        isListening = false
    }

    mutating func closeOldChannel() {
        if oldChannelIsOpen { emit(.closeOldChannel) }
        oldChannelIsOpen = false
        secondPartIsDue = false
    }

    mutating func closeChannel() {
        if channelIsOpen { emit(.closeChannel) }
        channelIsOpen = false
        channelIsUp = false
    }

    // MARK: Telling

    mutating func tell(_ step: PairingStep, _ message: String) {
        self.step = step
        emit(.tell(progress(.running, message)))
    }

    func progress(_ state: PairingProgress.State, _ message: String, asking form: InputForm? = nil) -> PairingProgress {
        let index = steps.firstIndex(of: step)
        return PairingProgress(
            session: order.session,
            state: state,
            step: step.rawValue,
            steps: steps.map(\.rawValue),
            percent: index.map { $0 * 100 / max(steps.count, 1) },
            message: message,
            needsInput: form,
            data: facts
        )
    }
}
