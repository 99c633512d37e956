import Dispatch
import Glibc
import Testing

/// A program run by a test; it is killed when the last reference goes.
final class WriterProcess: @unchecked Sendable {  // Used by one test at a time.
    private let process: pid_t
    private let output: UnsafeMutablePointer<FILE>
    private let input: Int32
    private var isOver = false

    /// Starts `lintel-registry-writer`.
    convenience init(_ arguments: String...) throws {
        try self.init(program: try Self.program(), arguments)
    }

    init(program: String, _ arguments: [String]) throws {
        var toChild: [Int32] = [0, 0]
        var fromChild: [Int32] = [0, 0]
        try #require(pipe(&toChild) == 0 && pipe(&fromChild) == 0)
        for descriptor in toChild + fromChild { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
        posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
        var argv: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for argument in argv { free(argument) } }
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        var process: pid_t = 0
        try #require(posix_spawn(&process, program, &actions, nil, &argv, &environment) == 0)
        close(toChild[0])
        close(fromChild[1])
        self.process = process
        input = toChild[1]
        output = try #require(fdopen(fromChild[0], "r"))
    }

    deinit {
        kill()
        close(input)
        fclose(output)
    }

    /// The next line it prints; nil at its end.
    func line() async -> String? {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: self.readLine()) }
        }
    }

    /// Waits for its end; true where it succeeded.
    func succeeds() async -> Bool {
        while await line() != nil {}
        var status: Int32 = 0
        guard !isOver, waitpid(process, &status, 0) == process else { return false }
        isOver = true
        return status == 0
    }

    /// Kills it as if the power of the process had gone (SIGKILL), and waits for its end.
    func kill() {
        guard !isOver else { return }
        isOver = true
        Glibc.kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
    }

    private func readLine() -> String? {
        var line: [UInt8] = []
        while true {
            let character = getc(output)
            if character == EOF { return line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
            if character == 10 { return String(decoding: line, as: UTF8.self) }
            line.append(UInt8(truncatingIfNeeded: character))
        }
    }

    /// It stands beside the program that runs the tests.
    private static func program() throws -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        try #require(count > 0)
        let own = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let slash = try #require(own.lastIndex(of: "/"))
        return own[..<slash] + "/lintel-registry-writer"
    }
}
