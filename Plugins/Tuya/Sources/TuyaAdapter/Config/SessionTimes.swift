/// Every time that a session and the search for devices keep.
///
/// The defaults are those of the protocol description, section 3.10; tests shorten them.
package struct SessionTimes: Sendable, Equatable {
    /// Until a TCP connection must stand.
    package var connect = Duration.seconds(5)
    /// Until a query or a negotiation must be answered.
    package var answer = Duration.seconds(5)
    /// Until a set must be answered, by an acknowledgement or a report.
    package var setAnswer = Duration.seconds(3)
    /// Silence of ours after which a heartbeat is sent.
    package var heartbeat = Duration.seconds(10)
    /// Silence of the device after which the connection is given up.
    package var deadPeer = Duration.seconds(25)
    /// Until an incomplete frame must go on.
    package var frameGap = Duration.seconds(5)
    /// Between two sets to a device.
    package var setPause = Duration.milliseconds(50)
    /// Between the mode and the rest, for devices that want them apart.
    package var splitPause = Duration.milliseconds(100)
    /// How long late copies of an old value are not believed after a set.
    package var settle = Duration.seconds(2)

    /// A session that lasted so long and drops is tried again at once, at a random time between the two below.
    package var goodSession = Duration.seconds(10)
    package var quickRetryFirst = Duration.milliseconds(100)
    package var quickRetryLast = Duration.milliseconds(600)
    /// A session that lasted so long makes later delays short again.
    package var stableSession = Duration.seconds(60)
    /// Unit of the delays after failed attempts: 1, 2, 5, 10, 30, 60 of it.
    package var retryUnit = Duration.seconds(1)
    /// The least time between two negotiations.
    package var negotiationPause = Duration.seconds(5)
    /// Before trying again where another client holds the connection.
    package var heldPause = Duration.seconds(30)
    /// Before trying again where the key does not fit.
    package var keyPause = Duration.seconds(300)
    /// Before trying again after a session key that the device takes for none.
    package var deadKeyPause = Duration.seconds(1)
    /// Silence after connecting, where it must be found out whether the device closes before or after our first frame.
    package var quietStart = Duration.milliseconds(400)
    /// A connection that closes sooner after it stands was never wanted.
    package var atOnce = Duration.milliseconds(300)

    /// Listening for beacons before versions are tried.
    package var probeListen = Duration.seconds(20)
    /// Between two attempts with different versions.
    package var probePause = Duration.seconds(5)
    /// After all versions have failed twice.
    package var probeHold = Duration.seconds(600)

    /// Between two attempts to catch a device that sleeps.
    package var wakeEvery = Duration.seconds(1)
    /// Until the connection to a device that sleeps must stand.
    package var wakeConnect = Duration.milliseconds(500)
    /// How long a sleeping device counts as present after it was heard.
    package var sleepLimit = Duration.seconds(86_400)
    /// How long no data point is refreshed after a refresh was followed by a disconnect.
    package var refreshHold = Duration.seconds(300)
    /// Silence that ends a hub's list of its devices.
    package var childListGap = Duration.seconds(2)
    /// Between two questions for devices on the LAN while one is missing.
    package var discoveryQuery = Duration.seconds(6)
    /// The first connections are spread by this much per device.
    package var startSpread = Duration.milliseconds(1)

    /// The protocol description's times.
    package init() {}
}

extension SessionTimes {
    /// The names under which the configuration may change times, in milliseconds.
    private static var names: [(key: String, path: WritableKeyPath<SessionTimes, Duration>)] {
        [
            ("connect_ms", \.connect), ("answer_ms", \.answer), ("set_answer_ms", \.setAnswer),
            ("heartbeat_ms", \.heartbeat), ("dead_peer_ms", \.deadPeer), ("frame_gap_ms", \.frameGap),
            ("split_pause_ms", \.splitPause), ("settle_ms", \.settle), ("good_session_ms", \.goodSession),
            ("quick_retry_first_ms", \.quickRetryFirst), ("quick_retry_last_ms", \.quickRetryLast),
            ("stable_session_ms", \.stableSession), ("retry_unit_ms", \.retryUnit),
            ("negotiation_pause_ms", \.negotiationPause), ("held_pause_ms", \.heldPause), ("key_pause_ms", \.keyPause),
            ("dead_key_pause_ms", \.deadKeyPause), ("quiet_start_ms", \.quietStart), ("at_once_ms", \.atOnce),
            ("probe_listen_ms", \.probeListen), ("probe_pause_ms", \.probePause), ("probe_hold_ms", \.probeHold),
            ("wake_every_ms", \.wakeEvery), ("wake_connect_ms", \.wakeConnect), ("sleep_limit_ms", \.sleepLimit),
            ("refresh_hold_ms", \.refreshHold), ("child_list_gap_ms", \.childListGap),
            ("discovery_query_ms", \.discoveryQuery), ("start_spread_ms", \.startSpread),
        ]
    }

    init(_ reader: inout ConfigReader) {
        self.init()
        for (key, path) in Self.names {
            if let time = reader.milliseconds(key, 0...86_400_000) { self[keyPath: path] = time }
        }
        reader.refuseOtherKeys()
    }
}
