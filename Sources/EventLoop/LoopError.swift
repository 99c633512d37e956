/// What went wrong in this module.
package enum LoopError: Error, Equatable, Sendable {
    /// Nobody listens at the address.
    case refused
    /// No route to the host or the network.
    case unreachable
    /// The answer did not come within the deadline.
    case timedOut(after: Duration)
    /// The peer broke the connection off.
    case reset
    /// The handle is closed.
    case closed
    /// The caller, or its task, cancelled.
    case cancelled
    /// The address or path is taken.
    case addressInUse
    /// This machine has no such address or interface.
    case addressNotAvailable
    /// No such host, file, executable or interface.
    case notFound(String)
    /// The system does not permit it to this user.
    case notPermitted
    /// The peer does not take what it is sent; `queued` bytes had gathered when the connection was given up.
    case overflow(queued: Int)
    /// Any other failure: a positive `errno` value and the call that gave it.
    case system(code: Int32, call: String)
}
