import Glibc

/// A fuzz program: what to do with one input.
///
/// A conforming type marked `@main` is a whole program; libFuzzer reads its arguments. A broken invariant must end the
/// process, which ``expect(_:_:)`` does: libFuzzer then keeps the input.
package protocol FuzzTarget {
    /// Tries one input; called from one thread.
    static func test(_ input: [UInt8])
}

extension FuzzTarget {
    /// Gives the process to libFuzzer.
    package static func main() {
        current = self
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = CommandLine.unsafeArgv
        exit(
            runDriver(&count, &arguments) { start, count in
                current?.test(Array(UnsafeBufferPointer(start: start, count: count)))
                return 0
            }
        )
    }

    /// Ends the process where an invariant does not hold.
    package static func expect(_ holds: Bool, _ message: StaticString) {
        precondition(holds, "\(message)")
    }
}

/// A C function pointer captures nothing, so the target is kept here; set once, before libFuzzer starts.
private nonisolated(unsafe) var current: (any FuzzTarget.Type)?

// SwiftPM renames `main`, so libFuzzer's own is not used but its entry for programs that have one. No header declares it
// for Swift; pointers and words are passed alike by the C and the Swift convention on our platforms.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
