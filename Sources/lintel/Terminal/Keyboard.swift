import EventLoop
import Glibc

/// What is typed at the terminal, as it comes.
@Loop
final class Keyboard {
    /// How the terminal treats what is typed.
    enum Mode: Equatable {
        /// As it did before.
        case original
        /// Every key comes at once and none is shown.
        case keys
        /// Whole lines come, shown while they are typed or not.
        case lines(isHidden: Bool)
    }

    /// Called with what is typed.
    var onBytes: (@Loop ([UInt8]) -> Void)?
    /// Called when the terminal is gone.
    var onEnd: (@Loop () -> Void)?
    private let descriptor: Int32
    private var watch: DescriptorWatch?
    private(set) var mode = Mode.original

    /// The keyboard of the terminal at standard input; nil where that is none.
    ///
    /// It is opened anew: to make the shell's own descriptor non-blocking would disturb the shell.
    init?() {
        guard isatty(STDIN_FILENO) == 1, TerminalMode.remember(STDIN_FILENO) else { return nil }
        let own = open("/proc/self/fd/0", O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        guard own >= 0 else { return nil }
        descriptor = own
        watch = try? DescriptorWatch(descriptor: own, events: .readable) { [weak self] _ in self?.read() }
        guard watch != nil else {
            close(own)
            return nil
        }
    }

    isolated deinit {
        watch?.cancel()
        close(descriptor)
        if mode != .original { TerminalMode.restore() }
    }

    /// Changes what the terminal does with keys.
    func change(to mode: Mode) {
        guard mode != self.mode else { return }
        self.mode = mode
        apply()
    }

    /// Sets the mode again, after somebody else had the terminal.
    func apply() {
        switch mode {
        case .original: TerminalMode.restore()
        case .keys: TerminalMode.change(lines: false, echo: false)
        case .lines(let isHidden): TerminalMode.change(lines: true, echo: !isHidden)
        }
    }

    /// Forgets what was typed before it was asked for.
    func flush() { tcflush(descriptor, Int32(TCIFLUSH)) }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count > 0 { return onBytes?(Array(buffer[..<count])) ?? () }
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        watch?.cancel()
        watch = nil
        onEnd?()
    }
}
