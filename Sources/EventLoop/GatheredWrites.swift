/// The streams that gathered bytes in this turn of the loop and send them, each in one system call, before it polls.
@Loop
enum GatheredWrites {
    static func flush() {}
}
