import Glibc
import JSON

/// Where the figures come from.
struct Machine: Sendable {
    let processor: String
    let cores: Int
    let memoryMiB: Int
    let kernel: String
    /// UTC, to the minute.
    let date: String

    /// The machine that this runs on, now.
    init() {
        let information = SystemFile.text("/proc/cpuinfo") ?? ""
        let model = information.split(separator: "\n").first { $0.hasPrefix("model name") }
        processor = model?.split(separator: ":").last.map { Self.trimmed($0) } ?? "unknown processor"
        cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        let memory = (SystemFile.text("/proc/meminfo") ?? "").split(separator: "\n").first
        memoryMiB = (memory?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1024
        kernel = Self.trimmed((SystemFile.text("/proc/sys/kernel/osrelease") ?? "unknown")[...])
        var seconds = time(nil)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let fields = [parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min].map { $0 < 10 ? "0\($0)" : "\($0)" }
        date = "\(parts.tm_year + 1900)-\(fields[0])-\(fields[1]) \(fields[2]):\(fields[3]) UTC"
    }

    var json: JSON {
        [
            "processor": .string(processor), "cores": JSON(cores), "memory_mib": JSON(memoryMiB),
            "kernel": .string(kernel), "date": .string(date),
        ]
    }

    /// One line for tables and plots.
    var text: String { "\(cores) cores (\(processor)), Linux \(kernel), \(date)" }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " || $0 == "\t" }.prefix { $0 != "\n" })
    }
}
