/// Every time that pairing keeps.
///
/// Source: protocol description, sections 7.2, 7.4, 8.4 and 8.9; what has no source there is a choice of ours.
package struct PairingTimes: Sendable, Equatable {
    /// From the first credentials sent until the device must be paired, in the old process.
    package var legacyLimit = Duration.seconds(100)
    /// The same in the new process, where the operator gives none.
    package var plusLimit = Duration.seconds(120)
    /// Until the radio must be in the hotspot, where a person may have to move it; the gateway itself gives up after the 30 s
    /// of the document.
    package var joining = Duration.seconds(900)
    /// Until the channel must stand.
    package var channel = Duration.seconds(15)
    /// Between two attempts to open the channel.
    package var channelPause = Duration.seconds(1)
    /// Until the device must have said how it is.
    package var query = Duration.seconds(5)
    /// Until the device must have listed its networks.
    package var listing = Duration.seconds(15)
    /// Until the device must have answered to the credentials; later it may have taken them all the same.
    package var configuring = Duration.seconds(5)
    /// How long the hotspot is watched for signs of the new process.
    package var recognising = Duration.seconds(4)
    /// Between two datagrams with credentials.
    package var datagram = Duration.seconds(1)
    /// Until the second part follows the first, for old firmware that takes both over TCP.
    package var secondPart = Duration.seconds(1)
    /// Between two questions about the token, and the same after half a minute.
    package var poll = Duration.seconds(1)
    package var latePoll = Duration.seconds(2)
    /// How long the cloud may refuse the question before that counts as a failure.
    package var pollPatience = Duration.seconds(30)
    /// Until the radio must be home again; it goes on without.
    package var leaving = Duration.seconds(30)
    /// Between two looks for the hotspot after it went.
    package var lookBack = Duration.seconds(8)
    /// How long a hotspot that came back is listened to before credentials are sent again, in the old process.
    package var listen = Duration.seconds(5)
    /// Until a paired device must be seen on the home's network.
    package var findOnLAN = Duration.seconds(30)
    /// Until a device that was seen must have agreed on its key.
    package var handshake = Duration.seconds(20)
    /// The same where its version must be found by trying.
    package var probing = Duration.seconds(150)

    /// The documents' times.
    package init() {}

    private static var names: [(key: String, path: WritableKeyPath<PairingTimes, Duration>)] {
        [
            ("legacy_limit_ms", \.legacyLimit), ("plus_limit_ms", \.plusLimit), ("joining_ms", \.joining),
            ("channel_ms", \.channel), ("channel_pause_ms", \.channelPause), ("query_ms", \.query),
            ("listing_ms", \.listing), ("configuring_ms", \.configuring), ("recognising_ms", \.recognising),
            ("datagram_ms", \.datagram), ("second_part_ms", \.secondPart), ("poll_ms", \.poll),
            ("late_poll_ms", \.latePoll), ("poll_patience_ms", \.pollPatience), ("leaving_ms", \.leaving),
            ("look_back_ms", \.lookBack), ("listen_ms", \.listen), ("find_on_lan_ms", \.findOnLAN),
            ("handshake_ms", \.handshake), ("probing_ms", \.probing),
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
