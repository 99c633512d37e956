internal import EventLoop
internal import TuyaProtocol

/// One request as it reaches the lamp: decrypted, on a session that may make it.
@Loop
struct LampRequest {
    let command: Command
    let body: [UInt8]
    /// When its bytes were read.
    let arrival: MonotonicTime
    let frame: Frame
    let session: LampSession

    /// Answers with the request's own command.
    func answer(_ body: [UInt8], returnCode: Int32 = 0, isHeaded: Bool = false) {
        session.answer(command, to: frame, body, returnCode: returnCode, isHeaded: isHeaded)
    }

    /// Answers with an error text and return code 1; devices up to 3.3 do not encrypt it.
    func refuse(_ text: String, isClear: Bool) {
        session.answer(command, to: frame, [UInt8](text.utf8), returnCode: 1, isClear: isClear)
    }
}
