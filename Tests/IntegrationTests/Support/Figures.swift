import EventLoop
import Glibc

/// What these tests measure by the way, for whoever reads their output.
enum Figures {
    /// Prints a line that stands out.
    static func note(_ text: String) {
        print("figure: \(text)")
        fflush(nil)
    }
}
