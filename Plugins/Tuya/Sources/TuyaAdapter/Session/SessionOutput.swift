package import EventLoop
package import HomeModel
package import TuyaProtocol

/// What a ``SessionMachine`` wants done, in order.
package enum SessionOutput: Sendable {
    /// Open a connection, and say how that went.
    case connect(to: SocketAddress, within: Duration)
    /// Close the connection and forget it, or give up the attempt to make one.
    case disconnect
    /// Write one frame, in one call.
    case send([UInt8])
    /// The device told values.
    case report(StatusReport, ReportOrigin)
    /// ``SessionMachine/status`` has changed.
    case statusChanged
    /// A set has come to its end.
    case setEnded([PendingSet.Ticket], Result<CommandStage, CommandError>)
    /// A question for the state of the device (nil) or of one of its children has come to its end; nil for an answer.
    case queryEnded(child: String?, CommandError?)
    /// The hub told which of its children are there.
    case children(online: [String], offline: [String])
    /// A version has worked that was not known to work before.
    case learned(ProtocolVersion)
    /// Something that a person may want to know.
    case note(SessionNote)
}

/// Why a device told values.
package enum ReportOrigin: Sendable {
    /// It was asked; a hub may answer for a sub-device out of its memory.
    case answer
    /// Something has changed.
    case spontaneous
}

/// A record for the log, without secrets.
package struct SessionNote: Sendable, Equatable {
    package enum Level: String, Sendable { case warning, notice, info, debug }

    package var level: Level
    package var message: String
    package var metadata: [String: String]

    package init(_ level: Level, _ message: String, _ metadata: [String: String] = [:]) {
        self.level = level
        self.message = message
        self.metadata = metadata
    }
}
