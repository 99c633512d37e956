import EventLoop

/// A moment that may be none, in the eight bytes of a moment that is one; a session has many of them, and a house many
/// sessions.
@propertyWrapper
struct Moment: Sendable {
    /// The end of the clock's range stands for none.
    private var nanoseconds = UInt64.max

    init() {}

    var wrappedValue: MonotonicTime? {
        get { nanoseconds == .max ? nil : MonotonicTime(nanoseconds: nanoseconds) }
        set { nanoseconds = newValue?.nanoseconds ?? .max }
    }
}
