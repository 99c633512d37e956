/// The UDP ports of discovery; the standard ones unless tests want to be alone.
package struct DiscoveryPorts: Sendable, Equatable {
    /// Announcements in clear, 3.1.
    package var clear: UInt16 = 6666
    /// Encrypted announcements.
    package var encrypted: UInt16 = 6667
    /// Questions, and the answers to them.
    package var query: UInt16 = 7000

    package init() {}
}
