/// What the program's exit status says.
enum ExitCode: Int32 {
    case ok = 0
    /// The gateway answered with an error, which was printed with its code.
    case failed = 1
    /// The command line cannot be understood.
    case usage = 2
    /// The configuration or the data directory cannot be used.
    case configuration = 3
    /// There is no broker, or no gateway behind it.
    case unreachable = 4
    /// A pairing session ended without a device; why was printed.
    case unpaired = 5
    /// Ctrl-C ended it before it was done; as shells say it, 128 and the signal.
    case interrupted = 130
}

/// Why a verb ended early, with what to print.
struct Failure: Error {
    var exit: ExitCode
    var message: String
    var hint: String?

    init(_ exit: ExitCode, _ message: String, hint: String? = nil) {
        self.exit = exit
        self.message = message
        self.hint = hint
    }
}
