package import TuyaProtocol

/// What devices do differently from each other for as long as they live, by protocol version and firmware.
///
/// Unlike ``LampFaults`` none of this is an error: a client has to cope with all of it every day.
/// - Source: tuya.md sections 3.1, 3.5 to 3.8; for 3.5 tuya-ap-plus.md section 7.
package struct LampHabits: Sendable, Equatable {
    /// How the device wants to be asked for its state.
    package enum Dialect: Sendable {
        /// 0x0A up to 3.3, 0x10 from 3.4 on.
        case normal
        /// 0x0D with the wanted data points; the normal query is refused with `json obj data unvalid`.
        case device22
    }

    /// One more connection is accepted and closed at once.
    package var maximumClients: Int
    package var dialect: Dialect
    /// Answers carry the request's sequence number and reports 0; otherwise the device counts from a random start.
    package var echoesSequence: Bool
    /// A sequence number that does not rise, or begins with 0, closes the connection.
    package var demandsRisingSequence: Bool
    /// The return code of a good control command.
    package var controlReturnCode: Int32
    package var returnCodeOrder: AnswerOptions.ByteOrder
    /// A session key that begins with a zero byte is taken for "no key": 1 session in 256 is dead.
    package var takesZeroKeyForNone: Bool
    /// A segment that begins a frame with fewer bytes than this closes the connection; 0 for no such limit.
    package var shortestFirstSegment: Int
    /// Frames of this many bytes and more close the connection.
    package var frameLimit: Int
    /// Whether 0x12 makes the device report the data points it lists.
    package var answersRefresh: Bool
    /// Whether an accepted set is reported even where it changes nothing.
    package var reportsUnchanged: Bool
    /// Whether reports carry the version header.
    package var headsReports: Bool
    /// Whether the device announces itself over UDP without being asked.
    package var announcesItself: Bool
    /// Whether it answers the question "who is there" on UDP 7000.
    package var answersDiscovery: Bool
    /// The connection is closed after this time without a frame.
    package var silenceLimit = Duration.seconds(30)
    /// The time between a wrong key, or a command before the negotiation, and the end of the connection.
    package var refusalDelay = Duration.seconds(1)
    /// How often a running countdown reports what is left.
    package var countdownReportInterval = Duration.seconds(10)
    /// The length of the countdown's seconds, so that tests need not wait for real ones.
    package var countdownSecond = Duration.seconds(1)

    /// The habits of a usual device of this version.
    package init(_ version: ProtocolVersion) {
        let isNew = version.negotiates
        let isOpenSDK = version == .v35
        maximumClients = isNew ? 3 : 1
        dialect = version == .v32 ? .device22 : .normal
        echoesSequence = !isNew
        demandsRisingSequence = isOpenSDK
        controlReturnCode = isOpenSDK ? 1 : 0
        returnCodeOrder = isOpenSDK ? .little : .big
        takesZeroKeyForNone = isOpenSDK
        shortestFirstSegment = isOpenSDK ? 50 : 0
        frameLimit = isOpenSDK ? 4096 : 16_384
        answersRefresh = !isOpenSDK
        reportsUnchanged = true
        headsReports = version != .v31
        // The vendor's SDK only answers; retail devices of 3.5 may do both.
        announcesItself = !isOpenSDK
        answersDiscovery = isOpenSDK
    }
}
