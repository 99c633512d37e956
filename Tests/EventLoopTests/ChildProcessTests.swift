import EventLoop
import Glibc
import TestSupport
import Testing

@Suite("ChildProcess", .timeLimit(.minutes(1)))
struct ChildProcessTests {
    @Test("the exit code is reported", arguments: [0, 1, 7, 255])
    @Loop func exitCode(code: Int32) async throws {
        let run = try Run("exit \(code)")
        #expect(await run.ended() == .exited(code))
    }

    @Test("the signal that ended a process is reported", arguments: [SIGTERM, SIGKILL, SIGPIPE])
    @Loop func signal(signal: Int32) async throws {
        let run = try Run("kill -\(signal) $$; sleep 100")
        #expect(await run.ended() == .signalled(signal))
    }

    @Test("output and errors arrive apart, to the last byte")
    @Loop func output() async throws {
        let run = try Run("head -c 300000 /dev/zero; echo oops >&2")
        #expect(await run.output?.closed() == nil)
        #expect(await run.errors?.closed() == nil)
        #expect(run.output?.bytes.count == 300_000)
        #expect(run.errors?.text == "oops\n")
        #expect(await run.ended() == .exited(0))
    }

    @Test("the process reads what is written and its end")
    @Loop func input() async throws {
        let run = try Run("cat; echo done")
        run.child?.stdin?.write(Array("hello ".utf8))
        run.child?.stdin?.finish()
        #expect(await run.output?.closed() == nil)
        #expect(run.output?.text == "hello done\n")
    }

    @Test("the environment is exactly the given one")
    @Loop func environment() async throws {
        let run = try Run(nil, executable: "/usr/bin/env", environment: ["A": "1", "B": "two words", "C": ""])
        #expect(await run.output?.closed() == nil)
        #expect(run.output?.text.split(separator: "\n").sorted() == ["A=1", "B=two words", "C="])
    }

    @Test("a name is looked for in the given PATH")
    @Loop func path() async throws {
        let run = try Run(nil, executable: "true", environment: ["PATH": "/nowhere:/usr/bin:/bin"])
        #expect(await run.ended() == .exited(0))
    }

    @Test("no descriptor above 2 reaches the process, not even one without close-on-exec")
    @Loop func descriptors() async throws {
        let leaking = Descriptor(opening: "/dev/zero")
        let high = Descriptor(duplicating: leaking, from: 200)
        try #require(leaking.number > 2 && high.number >= 200)
        #expect(fcntl(high.number, F_GETFD) & FD_CLOEXEC == 0)
        let run = try Run(nil, executable: "/bin/ls", arguments: ["-l", "/proc/self/fd"])
        #expect(await run.output?.closed() == nil)
        let text = try #require(run.output?.text)
        #expect(!text.contains("/dev/zero"))
        // 0, 1, 2, and 3, which is the folder that ls reads.
        #expect(text.split(separator: "\n").filter { $0.contains(" -> ") }.count == 4)
        withExtendedLifetime(leaking) {}
        withExtendedLifetime(high) {}
    }

    @Test("null streams read as empty and swallow what is written")
    @Loop func nullStreams() async throws {
        var status: ChildProcess.ExitStatus?
        let fact = Fact()
        let child = try ChildProcess(
            executable: "/bin/sh",
            arguments: ["-c", "echo lost; test -z \"$(cat)\""],
            environment: ["PATH": "/usr/bin:/bin"],
            stdin: .null,
            stdout: .null,
            stderr: .null
        ) {
            status = $0
            fact.changed()
        }
        #expect(child.stdin == nil && child.stdout == nil && child.stderr == nil)
        await fact.until { status != nil }
        #expect(status == .exited(0))
    }

    @Test("the working directory is the given one")
    @Loop func workingDirectory() async throws {
        let run = try Run("pwd", workingDirectory: "/usr")
        #expect(await run.output?.closed() == nil)
        #expect(run.output?.text == "/usr\n")
    }

    @Test("what cannot be started is a coded error")
    @Loop func errors() {
        #expect(throws: LoopError.notFound("/nowhere/program")) { try Run(nil, executable: "/nowhere/program") }
        #expect(throws: LoopError.notFound("/nowhere")) { try Run("true", workingDirectory: "/nowhere") }
        #expect(throws: LoopError.notPermitted) { try Run(nil, executable: "/etc/passwd") }
    }

    @Test("the process leads a group of its own, and a signal to the group reaches its descendants")
    @Loop func group() async throws {
        let run = try Run("sleep 1000 & echo $!; wait")
        let line = try #require(await run.output?.received(2))
        let child = try #require(run.child)
        #expect(getpgid(child.pid) == child.pid)
        let grandchild = try #require(Int32(String(decoding: line, as: UTF8.self).split(separator: "\n")[0]))
        #expect(getpgid(grandchild) == child.pid)
        child.signal(SIGKILL, toGroup: true)
        #expect(await run.ended() == .signalled(SIGKILL))
        // The end of the pipe says that the descendant, which held it open, is gone.
        #expect(await run.output?.closed() == nil)
    }

    @Test("what is left of the group is killed when its leader ends")
    @Loop func leftovers() async throws {
        let run = try Run("sleep 1000 & exit 3")
        #expect(await run.ended() == .exited(3))
        #expect(await run.output?.closed() == nil)
    }

    @Test("a dropped process is still waited for")
    @Loop func dropped() async throws {
        var status: ChildProcess.ExitStatus?
        let fact = Fact()
        _ = try ChildProcess(executable: "/bin/true", environment: [:]) {
            status = $0
            fact.changed()
        }
        await fact.until { status != nil }
        #expect(status == .exited(0))
    }

    @Test("a process may tie its life to its parent's, by a signal that exists")
    func parentDeath() throws {
        #expect(throws: LoopError.system(code: EINVAL, call: "prctl")) { try ParentDeath.follow(signal: 1_000) }
        try ParentDeath.follow(signal: SIGWINCH, parent: getppid())
        // 0 takes it back.
        try ParentDeath.follow(signal: 0)
    }

    @Test("fifty processes at once all report their own ends")
    @Loop func many() async throws {
        var runs: [Run] = []
        for code in 0..<50 { runs.append(try Run("exit \(code)")) }
        for (code, run) in runs.enumerated() { #expect(await run.ended() == .exited(Int32(code))) }
    }
}

/// A process with all three pipes, and what comes out of them.
@Loop
private final class Run {
    private(set) var child: ChildProcess?
    private(set) var output: Inbox?
    private(set) var errors: Inbox?
    private var status: ChildProcess.ExitStatus?
    private let fact = Fact()

    init(
        _ script: String?,
        executable: String = "/bin/sh",
        arguments: [String] = [],
        environment: [String: String] = ["PATH": "/usr/bin:/bin"],
        workingDirectory: String? = nil
    ) throws(LoopError) {
        let child = try ChildProcess(
            executable: executable,
            arguments: script.map { ["-c", $0] } ?? arguments,
            environment: environment,
            workingDirectory: workingDirectory
        ) { [self] in
            status = $0
            fact.changed()
        }
        self.child = child
        output = child.stdout.map { Inbox($0) }
        errors = child.stderr.map { Inbox($0) }
    }

    func ended() async -> ChildProcess.ExitStatus? {
        await fact.until { [self] in status != nil }
        return status
    }
}

/// A descriptor without close-on-exec, as C libraries open them.
private struct Descriptor: ~Copyable {
    let number: Int32

    init(opening path: String) {
        number = open(path, O_RDONLY)
    }

    init(duplicating other: borrowing Descriptor, from least: Int32) {
        number = fcntl(other.number, F_DUPFD, least)
    }

    deinit { close(number) }
}
