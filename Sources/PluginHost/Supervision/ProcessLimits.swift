/// What a plugin's process may use.
package struct ProcessLimits: Sendable, Equatable {
    /// How many descriptors it may have open.
    package var openFiles: UInt64 = 4096
    /// How many bytes of address space it may map; nil for no limit, because runtimes reserve far more than they use.
    package var addressSpace: UInt64?

    package init() {}
}
