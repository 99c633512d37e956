import HomeModel
import JSON

/// What a pairing session wants to be done.
enum PairingOutput: Sendable, Equatable {
    /// Tell everybody how it is.
    case publish
    /// Give an answer to the plugin.
    case answerPlugin(JSONObject)
    /// Give an answer to the radio.
    case answerRadio(JSONObject)
    /// Take the devices in, let the plugin go (and tell it, where it has not ended the session itself), bring the radio
    /// home; then say ``PairingInput/closed``.
    case close(tellsPlugin: Bool)
    /// The radio's question is over, without an answer.
    case abandonRadio
    /// It has ended: keep it in the history, then tell everybody.
    case finish
    /// Tell the caller that this cannot be done now.
    case refuse(CommandError)
}
