/// Times that pairing sessions keep.
package struct PairingTimes: Sendable, Equatable {
    /// How long a session may work in all; the time in which it waits for a person does not count.
    package var work: Duration = .seconds(900)
    /// How long the plugin may work without a word.
    package var silence: Duration = .seconds(300)
    /// How long a person may take for one answer: they may have to fetch a ladder.
    package var person: Duration = .seconds(1800)
    /// How long the end may take in which the plugin lets go and the radio goes home, perhaps by a person's hand.
    package var closing: Duration = .seconds(180)
    /// How long an ended session can be seen and tried again; then all that it was given is wiped.
    package var keep: Duration = .seconds(900)
    /// How often an open session is told again, so that what a door published of it does not expire.
    package var refresh: Duration = .seconds(600)

    package init() {}
}
