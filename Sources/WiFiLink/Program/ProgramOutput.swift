import EventLoop

/// What a program left behind.
struct ProgramOutput {
    /// How it ended.
    var status: ChildProcess.ExitStatus
    /// What it wrote.
    var stdout: [UInt8]
    /// What it wrote as errors.
    var stderr: [UInt8]

    /// Its code; 128 and the signal's number where a signal ended it, as shells say it.
    var code: Int32 {
        switch status {
        case .exited(let code): code
        case .signalled(let signal): 128 + signal
        }
    }

    /// What it wrote, as text.
    var text: String { String(decoding: stdout, as: UTF8.self) }

    /// The last line of its errors, at most 300 characters, for a person.
    var complaint: String {
        let lines = String(decoding: stderr, as: UTF8.self).split(separator: "\n")
        let line = lines.last { $0.contains { !$0.isWhitespace } }
        return line.map { String($0.prefix(300)) } ?? "ended with status \(code)"
    }
}
