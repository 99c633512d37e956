extension ChildProcess {
    /// How a process ended.
    package enum ExitStatus: Hashable, Sendable {
        /// It ended itself with a code from 0 to 255.
        case exited(Int32)
        /// A signal ended it.
        case signalled(Int32)

        /// Whether the process ended with code 0.
        package var isSuccess: Bool { self == .exited(0) }
    }
}
