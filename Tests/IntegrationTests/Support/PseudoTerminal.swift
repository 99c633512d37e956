import EventLoop
import Glibc
import TestSupport

/// A terminal that nobody sits at: what a program writes to it is kept, and what a test types comes from its keyboard.
@Loop
final class PseudoTerminal {
    /// The path of the side for programs.
    let path: String
    /// Everything that was written.
    private(set) var bytes: [UInt8] = []
    /// What a person would see now.
    private(set) var screen: EmulatedScreen
    private let master: Int32
    /// Held, so that the terminal outlives its programs and can be asked how they left it.
    private let slave: Int32
    private var watch: DescriptorWatch?
    private var isSettled = false
    private var undecoded: [UInt8] = []
    private let facts: Facts

    init(columns: Int, rows: Int, facts: Facts) throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // As unlockpt and ptsname do it (ioctl_tty(2)), which Swift's C library does not show.
        var (lock, number): (Int32, UInt32) = (0, 0)
        guard master >= 0, ioctl(master, Self.setLock, &lock) == 0, ioctl(master, Self.getNumber, &number) == 0 else {
            throw TestError.system(code: errno, call: "/dev/ptmx")
        }
        path = "/dev/pts/\(number)"
        slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        screen = EmulatedScreen(columns: columns, rows: rows)
        self.facts = facts
        setSize(columns, rows)
        watch = try DescriptorWatch(descriptor: master, events: .readable) { [weak self] _ in self?.read() }
    }

    isolated deinit {
        watch?.cancel()
        close(slave)
        close(master)
    }

    /// All that was written, as text.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether the terminal shows what is typed and edits lines itself, as shells find it and want it back.
    var isSane: Bool {
        // The kernel's struct termios: four words of flags, of which the last is local; then more.
        var mode = [UInt32](repeating: 0, count: 16)
        guard ioctl(master, Self.getMode, &mode) == 0 else { return false }
        return mode[3] & Self.sane == Self.sane
    }

    private static let (setLock, getNumber, getMode) = (UInt(0x4004_5431), UInt(0x8004_5430), UInt(0x5401))
    /// ISIG, ICANON and ECHO.
    private static let sane: UInt32 = 0x1 | 0x2 | 0x8

    /// Types a text; `\u{3}` is Ctrl-C.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(master, bytes, bytes.count)
    }

    /// Gives it another size, of which its program is told.
    func setSize(_ columns: Int, _ rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    /// Waits until everything that programs wrote so far is here.
    func settle() async throws {
        isSettled = false
        var mark = Self.mark
        // It comes after all that was written before it.
        _ = write(slave, &mark, 1)
        try await facts.until("the terminal has read all") { [self] in isSettled }
    }

    private static let mark: UInt8 = 0

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = Glibc.read(master, &buffer, buffer.count)
        guard count > 0 else { return }
        let written = buffer[..<count].filter { $0 != Self.mark }
        if written.count < count { isSettled = true }
        bytes += written
        undecoded += written
        // The last bytes may be the start of a character.
        let start = undecoded.lastIndex { $0 & 0xC0 != 0x80 } ?? 0
        let isWhole = String(validating: undecoded[start...], as: UTF8.self) != nil
        let whole = isWhole ? undecoded[...] : undecoded[..<start]
        screen.take(String(decoding: whole, as: UTF8.self))
        undecoded.removeFirst(whole.count)
        facts.changed()
    }
}
