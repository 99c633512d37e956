import EventLoop
import Glibc

/// How a terminal was before this program changed it, so that it is left like that however the program ends.
enum TerminalMode {
    private struct Original {
        var descriptor: Int32
        var mode: termios
    }

    /// What is put back.
    ///
    /// Written once, on the loop, before the handlers that read it exist.
    nonisolated(unsafe) private static var original: Original?
    /// Whether the mode is another one than the original now; written on the loop, and a stale value does no harm.
    nonisolated(unsafe) private static var isChanged = false

    /// Whether the cursor may be hidden; written on the loop before anything is drawn.
    nonisolated(unsafe) private static var isDrawnOn = false

    /// Says that control sequences are written to the terminal, so that their effect is undone at the end, too.
    @Loop static func willDraw() { isDrawnOn = true }

    /// Remembers the mode, and sees to it that it is put back when the program exits or crashes.
    ///
    /// - Returns: false where the descriptor is no terminal.
    @Loop static func remember(_ descriptor: Int32) -> Bool {
        guard original == nil else { return true }
        var mode = termios()
        guard tcgetattr(descriptor, &mode) == 0 else { return false }
        original = Original(descriptor: descriptor, mode: mode)
        atexit { TerminalMode.restore() }
        for number in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT] {
            // tcsetattr, write, signal and raise may be called in a handler (signal-safety(7)).
            _ = signal(number) { number in
                TerminalMode.restore()
                _ = signal(number, SIG_DFL)
                raise(number)
            }
        }
        return true
    }

    /// Changes the mode; Ctrl-C and Ctrl-Z stay signals.
    ///
    /// - Parameters:
    ///   - lines: whether whole lines come, edited by the terminal itself, or every key as it is pressed.
    ///   - echo: whether the terminal shows what is typed.
    @Loop static func change(lines: Bool, echo: Bool) {
        guard let original else { return }
        var mode = original.mode
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL)
        if lines { mode.c_lflag |= tcflag_t(ICANON) }
        // A line that is not shown still ends one.
        if lines { mode.c_lflag |= tcflag_t(echo ? ECHO : ECHONL) }
        isChanged = true
        tcsetattr(original.descriptor, TCSANOW, &mode)
    }

    /// Puts the original mode back, shows the cursor and lets long lines wrap again.
    static func restore() {
        if isChanged, var mode = original?.mode, let descriptor = original?.descriptor {
            isChanged = false
            tcsetattr(descriptor, TCSANOW, &mode)
        }
        if isDrawnOn { "\u{1B}[?7h\u{1B}[?25h".withCString { _ = write(STDOUT_FILENO, $0, 11) } }
    }
}
