/// The ports of a device in its own hotspot; the vendor's unless tests want to be alone.
package struct HotspotPorts: Sendable, Equatable {
    /// TCP, without a pincode; 0 lets the system choose, for this and ``pincode``.
    package var channel: UInt16 = 6668
    /// TCP, with a pincode.
    package var pincode: UInt16 = 7001
    /// UDP, where the new process is announced.
    package var announcement: UInt16 = 6667
    /// UDP, where older devices announce themselves in clear.
    package var clearAnnouncement: UInt16 = 6666
    /// UDP, where the old process listens.
    package var legacy: UInt16 = 6669

    package init() {}
}
