import EventLoop
import Glibc
import PluginKit
import TestSupport

/// A plugin of lamps that do not exist, which misbehaves on demand; for tests and for trying a gateway out.
@main
enum FakePlugin {
    static func main() {
        // Kept, so that trouble can be written past the kit.
        let wire = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10)
        if CommandLine.arguments.contains("--exit") { exit(3) }
        PluginProgram.run(id: "fake", version: "0.1.0") {
            TroubledAdapter(FakeAdapter(crash: { kill(getpid(), SIGKILL) }), trouble: Trouble(wire: wire))
        }
    }
}
