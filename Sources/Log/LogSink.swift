/// Where records go.
///
/// It is called from any thread, the loop's among them, so it must not wait.
package protocol LogSink: Sendable {
    /// Takes a record whose level is switched on.
    func write(_ record: LogRecord)
}
