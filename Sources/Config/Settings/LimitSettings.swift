/// What the gateway takes at most from others.
package struct LimitSettings: Sendable, Equatable {
    /// The longest payload of a request or command, in bytes: 1 KiB to 1 MiB.
    package var commandBytes = 64 << 10
    /// The most devices of all plugins together: 1 to 100,000.
    package var devices = 10_000

    package init() {}

    /// Reads the `limits` section.
    init(_ section: inout SectionReader) {
        self.init()
        if let bytes = section.size("command_size", 1024...(1 << 20)) { commandBytes = bytes }
        if let count = section.integer("devices", 1...100_000) { devices = count }
        section.finish()
    }
}
