import Glibc

extension LogFormat {
    /// The format for a descriptor: journald's where it is the journal, colours on a terminal, else plain text.
    ///
    /// - Parameter environment: `JOURNAL_STREAM` names the journal's device and inode (systemd.exec(5)); `NO_COLOR` set
    ///   to anything but nothing, and `TERM=dumb`, switch colours off.
    package static func suitable(for descriptor: Int32, environment: [String: String]) -> LogFormat {
        if let journal = environment["JOURNAL_STREAM"], journal == identity(of: descriptor) { return .journal }
        guard isatty(descriptor) == 1 else { return .text }
        let isPlain = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        return isPlain || environment["TERM"] == "dumb" ? .text : .colouredText
    }

    /// The device and inode that a descriptor stands for, as `JOURNAL_STREAM` has them.
    private static func identity(of descriptor: Int32) -> String? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        return "\(status.st_dev):\(status.st_ino)"
    }
}
