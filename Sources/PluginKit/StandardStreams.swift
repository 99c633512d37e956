// For `stdout`, a variable that nothing changes.
@preconcurrency import Glibc

/// The descriptors that a plugin is started with.
enum StandardStreams {
    /// Takes stdout away for the protocol and points it at stderr, so that whatever a library prints is log text.
    ///
    /// - Returns: a private, close-on-exec descriptor of the original stdout, nil where it has none.
    static func claimOutput() -> Int32? {
        let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        guard output >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else { return nil }
        // What is printed shows at each end of a line, not when a buffer is full.
        setvbuf(stdout, nil, _IOLBF, 0)
        return output
    }

    /// Tells a person something on stderr.
    static func complain(_ text: String) {
        var text = text + "\n"
        text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
