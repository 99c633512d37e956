import EventLoop
import Glibc

/// Programs that a gateway ran for a move and that outlived it.
///
/// A program that is still joining would take the radio away again after it was brought back. They are known by a variable
/// of their environment, which what they start inherits.
enum Survivors {
    /// The variable; its value is the move's ``MoveRecord/token``.
    static let variable = "LINTEL_WIFI_MOVE"

    /// Ends the programs of a move, and returns when they are gone.
    @Loop
    static func end(of token: String) async {
        let mark = Array("\(variable)=\(token)".utf8)
        for signal in [SIGTERM, SIGKILL] {
            for _ in 0..<40 {
                let found = processes(mark)
                if found.isEmpty { return }
                for process in found { kill(process, signal) }
                try? await Loop.sleep(for: .milliseconds(50))
            }
        }
    }

    /// The processes of our user that have the mark, but for this one.
    private static func processes(_ mark: [UInt8]) -> [pid_t] {
        guard let directory = opendir("/proc") else { return [] }
        defer { closedir(directory) }
        var found: [pid_t] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            // One that has ended and is not waited for has no environment any more.
            guard let process = pid_t(name), process != getpid(), let text = SystemFile.read("/proc/\(name)/environ"),
                text.utf8.split(separator: 0).contains(where: { $0.elementsEqual(mark) })
            else { continue }
            found.append(process)
        }
        return found
    }
}
