import Glibc

/// What this process uses.
enum ProcessMemory {
    /// Resident memory in KiB; 0 where `/proc` cannot be read.
    static var residentKiB: Int64 {
        guard let bytes = Files.read("/proc/self/statm", limit: 4096) else { return 0 }
        let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = Int64(fields[1]) else { return 0 }
        return pages * Int64(sysconf(Int32(_SC_PAGESIZE))) / 1024
    }
}
