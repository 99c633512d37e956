import CUV
import Glibc

/// Keeps our descriptors out of the processes that we start.
enum CloseOnExec {
    /// Marks every descriptor above 2 close-on-exec.
    ///
    /// libuv's own are from the start; those of C libraries, libmosquitto's sockets among them, are not. What another
    /// thread opens without the mark between this and the fork, some ten microseconds, still slips through.
    static func markAllAboveStandard() {
        if lintel_close_on_exec_from(3) == 0 { return }
        // Linux before 5.11.
        let limit = min(max(sysconf(Int32(_SC_OPEN_MAX)), 256), 65_536)
        for descriptor in 3..<Int32(limit) {
            let flags = fcntl(descriptor, F_GETFD)
            if flags >= 0 { _ = fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) }
        }
    }
}
