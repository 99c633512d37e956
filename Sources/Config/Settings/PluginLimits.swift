/// What a plugin's process may take.
package struct PluginLimits: Sendable, Equatable {
    /// The most address space, in bytes: 64 MiB to 64 GiB; nil for no limit.
    package var memoryBytes: Int?
    /// The most open files and connections: 64 to 65,536.
    package var openFiles = 4096

    package init() {}

    /// Reads the `limits` section of a plugin.
    init(_ section: inout SectionReader) {
        self.init()
        memoryBytes = section.size("memory", (64 << 20)...(64 << 30))
        if let count = section.integer("open_files", 64...65_536) { openFiles = count }
        section.finish()
    }
}
