import Glibc

/// What `/proc` says of processes.
enum ProcessTable {
    /// Whether a process runs; one that has ended and is not waited for counts as gone.
    static func isAlive(_ pid: Int32) -> Bool {
        guard let state = fields(of: pid)?.first else { return false }
        return state != "Z" && state != "X"
    }

    /// Processes that a process started, without those that have ended.
    static func children(of parent: Int32) -> [Int32] {
        all.filter { pid in
            guard let fields = fields(of: pid), fields.count > 1 else { return false }
            return fields[0] != "Z" && fields[1] == "\(parent)"
        }
    }

    /// Plugins of a gateway that runs or ran, by what their environment says.
    static func plugins(ofGateways gateways: Set<Int32>) -> [Int32] {
        all.filter { pid in
            guard isAlive(pid), let text = read("/proc/\(pid)/environ") else { return false }
            let variables = text.split(separator: 0)
            return gateways.contains { gateway in
                variables.contains { $0.elementsEqual("LINTEL_GATEWAY_PID=\(gateway)".utf8) }
            }
        }
    }

    /// The arguments of a process, the program's name first.
    static func commandLine(of pid: Int32) -> [String] {
        (read("/proc/\(pid)/cmdline") ?? []).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Everything in a process's environment, as one text.
    static func environment(of pid: Int32) -> String {
        String(decoding: read("/proc/\(pid)/environ") ?? [], as: UTF8.self)
    }

    /// Resident memory in KiB; 0 for a process that is gone.
    static func residentKiB(of pid: Int32) -> Int {
        let pages = read("/proc/\(pid)/statm").map { String(decoding: $0, as: UTF8.self).split(separator: " ") } ?? []
        return pages.count > 1 ? (Int(pages[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) / 1024 : 0
    }

    private static var all: [Int32] {
        guard let folder = opendir("/proc") else { return [] }
        defer { closedir(folder) }
        var pids: [Int32] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let pid = Int32(name) { pids.append(pid) }
        }
        return pids
    }

    /// State, parent and so on: `/proc/<pid>/stat` behind the name, which may have blanks and brackets.
    private static func fields(of pid: Int32) -> [Substring]? {
        guard let bytes = read("/proc/\(pid)/stat") else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let bracket = text.lastIndex(of: ")") else { return nil }
        return text[text.index(after: bracket)...].split(separator: " ")
    }

    private static func read(_ path: String) -> [UInt8]? { TextFile.bytes(path) }
}
