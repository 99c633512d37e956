import Glibc

/// How large a terminal is, in cells.
struct ScreenSize: Equatable, Sendable {
    var columns: Int
    var rows: Int

    /// The size of the terminal behind a descriptor; 80 by 24 where it does not say.
    static func of(_ descriptor: Int32) -> ScreenSize {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return ScreenSize(columns: 80, rows: 24)
        }
        return ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}
