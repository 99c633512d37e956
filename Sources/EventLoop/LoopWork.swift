/// One piece of work for the loop's thread.
enum LoopWork {
    /// A job of the Swift runtime: a step of a task, or an isolated deinit.
    case job(UnownedJob)
    /// A closure from ``Loop/nextTick(_:)`` or ``Loop/post(_:)``.
    case call(@Loop () -> Void)
}
