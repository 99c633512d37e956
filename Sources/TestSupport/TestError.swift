/// What keeps a test from being made.
package enum TestError: Error, Equatable, Sendable {
    /// A system call failed with this `errno`.
    case system(code: Int32, call: String)
    /// A program ended otherwise than with code 0; `output` is what it wrote.
    case failed(program: String, output: String)
    /// A server did not come up; `output` is what it wrote.
    case notReady(output: String)
}
