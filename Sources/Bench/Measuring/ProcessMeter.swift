import Glibc

/// What a process has used, as the kernel counts it.
struct ProcessMeter: Sendable {
    let pid: Int32

    /// The program's name, at most 15 bytes.
    var name: String {
        SystemFile.text("/proc/\(pid)/comm")?.split(separator: "\n").first.map(String.init) ?? "?"
    }

    /// The processor time of all its threads that live, in seconds.
    var processorSeconds: Double {
        var nanoseconds = 0.0
        for thread in SystemFile.names(in: "/proc/\(pid)/task") {
            let fields = SystemFile.text("/proc/\(pid)/task/\(thread)/schedstat")?.split(separator: " ")
            nanoseconds += fields?.first.flatMap { Double($0) } ?? 0
        }
        return nanoseconds / 1e9
    }

    /// Its memory; nil where it has ended.
    var memory: ProcessMemory? {
        guard let text = SystemFile.text("/proc/\(pid)/smaps_rollup") else { return nil }
        var bytes: [Substring: Int] = [:]
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: " ", omittingEmptySubsequences: true)
            guard fields.count > 1, let kibibytes = Int(fields[1]) else { continue }
            bytes[fields[0].dropLast()] = kibibytes * 1024
        }
        return ProcessMemory(
            name: name,
            proportional: bytes["Pss"] ?? 0,
            own: (bytes["Private_Clean"] ?? 0) + (bytes["Private_Dirty"] ?? 0),
            resident: bytes["Rss"] ?? 0
        )
    }

    /// Its children and theirs.
    var descendants: [Int32] {
        var found: [Int32] = []
        for thread in SystemFile.names(in: "/proc/\(pid)/task") {
            let text = SystemFile.text("/proc/\(pid)/task/\(thread)/children") ?? ""
            for child in text.split(separator: " ").compactMap({ Int32($0) }) {
                found.append(child)
                found += ProcessMeter(pid: child).descendants
            }
        }
        return found
    }
}
