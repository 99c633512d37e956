import HomeModel
import JSON

/// What can happen to a pairing session.
enum PairingInput: Sendable {
    /// The plugin took the session.
    case started
    /// The plugin did not take the session.
    case refused(CommandError)
    /// The plugin told how far it is.
    case progress(PairingProgress)
    /// A person answered.
    case answer(JSONObject)
    /// The plugin did not take the answer.
    case answerRefused(CommandError)
    /// The radio needs a person, such as to be moved by hand.
    case radioAsks(InputForm)
    /// The radio needs nobody any longer.
    case radioSettled
    /// A person does not want it any longer.
    case cancel
    /// The gateway stops.
    case stop
    /// The plugin ended.
    case pluginDown
    /// Time passed.
    case tick
    /// The devices were taken into the house, or were not.
    case registered([DeviceID], PairingFailure?)
    /// The plugin let go and the radio is where it was.
    case closed
}
