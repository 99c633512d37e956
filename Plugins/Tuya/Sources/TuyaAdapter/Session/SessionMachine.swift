package import EventLoop
import HomeModel
package import TuyaProtocol

/// Everything that one device's connection does, as a value: events go in, ``SessionOutput`` comes out, and time is told
/// from outside.
///
/// The holder feeds it, performs what ``drain()`` gives and calls ``timeout(at:)`` at ``deadline``.
///
/// ```
/// idle ─ start ─► waiting ─► connecting ─► [quiet] ─► [negotiating] ─► querying ─► online
///                    ▲            │            │             │             │          │
///                    └────────────┴─ a failure, classified: the next attempt follows from it
/// ```
///
/// Source: protocol description, sections 3.4 … 3.10.
package struct SessionMachine {
    enum Phase {
        case idle
        /// Until ``SessionMachine/nextAttempt``, or until a beacon tells where the device is.
        case waiting
        case connecting
        /// Connected, and saying nothing for a while: does the device close by itself?
        case quiet
        case negotiating(Negotiation)
        /// The first question is out; nothing has shown yet that the device understands us.
        case querying
        case online
    }

    /// The request that is out; devices lose what comes too fast, so there is one at a time.
    enum InFlight {
        case query(QueryPart)
        case set(PendingSet, SetProgress)
    }

    struct SetProgress {
        var attempt = 1
        /// The rest is still to be sent after the first part.
        var restIsDue = false
        /// The device reported one of the points, though not with the value that was set.
        var wasTouched = false
    }

    let shared: SharedSettings
    let rules: SessionRules
    var outputs: [SessionOutput] = []

    // The line.
    var phase = Phase.idle
    package internal(set) var status = LinkStatus.starting
    package internal(set) var address: SocketAddress?
    package internal(set) var version: ProtocolVersion?
    var headerText: String?
    var choice: VersionChoice
    var policy: ReconnectPolicy
    @Moment var nextAttempt: MonotonicTime?
    @Moment var lastAttempt: MonotonicTime?
    @Moment var lastNegotiation: MonotonicTime?
    /// The first frame of the next session waits, see ``Phase/quiet``.
    var startsQuietly = false
    /// The device was given time to close by itself, and did not.
    var wasQuiet = false
    var hasWorked = false
    /// When the last session that worked ended.
    @Moment var lastWorked: MonotonicTime?
    var silentNegotiations = 0
    var deadSessions = 0
    /// Where a beacon saw the device while the session still stands.
    var sightedElsewhere: SocketAddress?
    @Moment var sightedUntil: MonotonicTime?
    var lastHeardBeforeSighting = MonotonicTime(nanoseconds: 0)

    // The connection.
    var decoder = StreamDecoder(returnCodes: .whereSmall)
    /// Both are made when needed and dropped when idle: a thousand idle devices should not keep cipher contexts.
    var codec: SessionCodec?
    var writer: RequestWriter?
    var agreement: Negotiation.Agreement?
    var sequence: UInt32 = 0
    var connectedAt = MonotonicTime(nanoseconds: 0)
    @Moment var onlineSince: MonotonicTime?
    var lastSent = MonotonicTime(nanoseconds: 0)
    var lastHeard = MonotonicTime(nanoseconds: 0)
    var heardAnything = false
    @Moment var frameDeadline: MonotonicTime?
    var undecipherable = 0
    var complaints = 0
    var sawBadSeal = false

    // Requests.
    var inFlight: InFlight?
    @Moment var answerDeadline: MonotonicTime?
    var sets = SetQueue()
    var nextSet = MonotonicTime(nanoseconds: 0)
    var queries = QueryPlan()
    @Moment var nextQuery: MonotonicTime?
    @Moment var nextRefresh: MonotonicTime?
    @Moment var lastRefresh: MonotonicTime?
    @Moment var refreshHold: MonotonicTime?
    /// Points of a set that the device has not reported, and when to ask for them.
    var unreported: [Int] = []
    var unreportedChild: String?
    @Moment var settleAt: MonotonicTime?
    /// The question is due whatever has been reported meanwhile.
    var mustSettle = false
    /// Until then an acknowledgement is that of a set which was confirmed before.
    @Moment var acknowledgementOwed: MonotonicTime?
    var unansweredQueries = 0
    var lastWasPong = false
    /// The names of the device's sub-devices, to be asked one by one where a common answer cannot be read.
    package var children: [String] = []
    var childList: ChildList?
    var loggedUnparsable = false

    package internal(set) var counters = SessionCounters()
    /// The code of the last thing that went wrong with a frame.
    package internal(set) var lastError: String?

    /// - Parameters:
    ///   - provenVersion: one that worked in an earlier life.
    ///   - seed: for jitter.
    package init(
        settings shared: SharedSettings,
        rules: SessionRules,
        provenVersion: ProtocolVersion? = nil,
        seed: UInt64
    ) {
        self.shared = shared
        self.rules = rules
        choice = VersionChoice(shared, proven: provenVersion)
        policy = ReconnectPolicy(seed: seed)
        address = shared.settings.address.flatMap { SocketAddress(ip: $0, port: shared.settings.port) }
        queries.dialect = shared.settings.dialect == .listed ? .listed : .plain
    }

    var times: SessionTimes { rules.times }

    /// What is to be done now; the holder calls this after every call to the machine.
    package mutating func drain() -> [SessionOutput] {
        guard !outputs.isEmpty else { return [] }
        var taken: [SessionOutput] = []
        swap(&taken, &outputs)
        return taken
    }

    mutating func emit(_ output: SessionOutput) { outputs.append(output) }

    mutating func note(_ level: SessionNote.Level, _ message: String, _ metadata: [String: String] = [:]) {
        emit(.note(SessionNote(level, message, metadata)))
    }

    /// Whether the connection stands and its key is agreed on, so that requests may go out.
    var isConnected: Bool {
        switch phase {
        case .querying, .online: true
        case .idle, .waiting, .connecting, .quiet, .negotiating: false
        }
    }

    /// The phase in a word, for diagnostics.
    package var phaseName: String {
        switch phase {
        case .idle: "idle"
        case .waiting: "waiting"
        case .connecting: "connecting"
        case .quiet: "quiet"
        case .negotiating: "negotiating"
        case .querying: "querying"
        case .online: "online"
        }
    }
}
