import EventLoop
import HomeModel
import Hub

/// One way to move the radio.
///
/// All but the way by hand run programs of the system. None keeps a state of its own: where the radio was stands in the
/// ``MoveRecord``, so that any process can bring it back.
@Loop
protocol WiFiWay: AnyObject {
    /// `networkmanager`, `wpa_supplicant`, `command` or `manual`.
    nonisolated var name: String { get }

    /// Whether there is a radio that could be moved.
    func radio() async throws(WiFiError) -> String

    /// What must be known to come back, without moving anything.
    func origin(of move: WiFiMove) async throws(WiFiError) -> MoveRecord

    /// The networks in reach, in any order.
    func scan() async throws(WiFiError) -> [WiFiSighting]

    /// Joins a network; `record` is on disk by now.
    func join(_ move: WiFiMove, from record: MoveRecord) async throws(WiFiError) -> WiFiPlace

    /// Goes back to where `record` says, whatever part of the way there was gone; may be called again.
    ///
    /// - Parameter prompt: nil where nobody is there to ask.
    func goBack(_ record: MoveRecord, _ prompt: WiFiPrompt?) async throws(WiFiError)

    /// Whether the radio still is in the network that it joined.
    func isJoined(_ record: MoveRecord, _ place: WiFiPlace) async throws(WiFiError) -> Bool

    /// Whether something other than the radio leads home; nil where only the routes can tell.
    func homeSurvives() async -> Bool?
}

extension WiFiWay {
    /// Most ways leave it to the routes.
    func homeSurvives() async -> Bool? { nil }
}
