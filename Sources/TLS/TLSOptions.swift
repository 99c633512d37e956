/// How an engine deviates from the defaults.
package struct TLSOptions: Sendable, Equatable {
    /// What is accepted or offered, best first.
    package var suites: [TLSSuite]
    /// What a client asks for; a server grants what it is asked.
    package var fragmentLength: TLSFragmentLength?

    /// Makes options with the given deviations from the defaults.
    package init(suites: [TLSSuite] = TLSSuite.allCases, fragmentLength: TLSFragmentLength? = nil) {
        self.suites = suites
        self.fragmentLength = fragmentLength
    }
}
