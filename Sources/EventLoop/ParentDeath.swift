import CUV
import Glibc

/// Ties the life of this process to that of the one that started it.
///
/// A child cannot be told so from outside through libuv's spawn, so that it asks for it itself, first thing. A child that
/// does not must take the end of its stdin as the sign.
package enum ParentDeath {
    /// Has the system send `signal` to this process as soon as its parent is gone, however that ended.
    ///
    /// - Parameter parent: the parent's process id, where it is known; if that is not our parent any more, the signal is
    ///   sent at once.
    /// - Throws: ``LoopError/system(code:call:)``.
    package static func follow(signal: Int32 = SIGKILL, parent: Int32? = nil) throws(LoopError) {
        let code = lintel_signal_at_parent_death(signal)
        guard code == 0 else { throw .system(code: code, call: "prctl") }
        if let parent, getppid() != parent { kill(getpid(), signal) }
    }
}
