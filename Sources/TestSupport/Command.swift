package import EventLoop

/// Runs programs to their end.
@Loop
package enum Command {
    /// Runs a program and returns what it wrote, to stdout and stderr together.
    ///
    /// - Throws: ``TestError/failed(program:output:)`` where it ended otherwise than with code 0.
    @discardableResult
    package static func run(_ program: String, _ arguments: [String], in folder: String? = nil) async throws -> String {
        var output: [UInt8] = []
        var open = 2
        var status: ChildProcess.ExitStatus?
        let fact = Fact()
        let child = try ChildProcess(
            executable: program,
            arguments: arguments,
            environment: ["PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/tmp"],
            workingDirectory: folder,
            stdin: .null
        ) {
            status = $0
            fact.changed()
        }
        for stream in [child.stdout, child.stderr] {
            stream?.onBytes = { output += $0 }
            stream?.onClose = { _ in
                open -= 1
                fact.changed()
            }
        }
        await fact.until { status != nil && open == 0 }
        let text = String(decoding: output, as: UTF8.self)
        guard status == .exited(0) else { throw TestError.failed(program: program, output: text) }
        return text
    }
}
