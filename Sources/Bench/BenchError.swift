/// Why the benchmark cannot go on.
enum BenchError: Error, CustomStringConvertible {
    case usage(String)
    case cannotWrite(String)
    case cannotStart(String, reason: String)
    /// A process that is measured has ended by itself.
    case ended(String, status: String, log: String)
    /// What should have happened did not within the time.
    case timedOut(String)

    var description: String {
        switch self {
        case .usage(let text): text
        case .cannotWrite(let path): "cannot write \(path)"
        case .cannotStart(let name, let reason): "cannot start \(name): \(reason)"
        case .ended(let name, let status, let log): "\(name) ended (\(status)); its last words:\n\(log)"
        case .timedOut(let what): "timed out: \(what)"
        }
    }
}
