import CUV
import Glibc

extension ChildProcess {
    /// What can be limited of a process; soft and hard limit alike, inherited by its own children.
    package enum Resource: Sendable {
        /// How many descriptors it may have open.
        case openFiles
        /// How many bytes of address space it may map.
        case addressSpace
        /// How many bytes a core dump may have.
        case coreDump

        fileprivate var number: Int32 {
            switch self {
            case .openFiles: Int32(RLIMIT_NOFILE.rawValue)
            case .addressSpace: Int32(RLIMIT_AS.rawValue)
            case .coreDump: Int32(RLIMIT_CORE.rawValue)
            }
        }
    }

    /// Limits a resource of the process from now on; what it has taken before stays.
    ///
    /// - Throws: ``LoopError/system(code:call:)``; a limit above our own hard one needs privileges.
    package func limit(_ resource: Resource, to limit: UInt64) throws(LoopError) {
        let code = lintel_limit_process(pid, resource.number, limit)
        guard code == 0 else { throw .system(code: code, call: "prlimit") }
    }
}
