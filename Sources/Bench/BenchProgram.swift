import EventLoop
import Glibc
import JSON

/// `lintel-bench`: how fast and how frugal the gateway is, and its JSON.
@main
enum BenchProgram {
    /// Exit status for wrong usage, as `sysexits.h` numbers it.
    private static let usageStatus: Int32 = 64

    static func main() {
        var arguments = CommandLine.arguments.dropFirst()
        if arguments.contains("--help") || arguments.first == "help" {
            print(BenchOptions.help)
        } else if arguments.first == "json" {
            print(JSONBenchmark.run().text)
        } else {
            if arguments.first == "run" { arguments.removeFirst() }
            run([String](arguments))
        }
    }

    private static func run(_ arguments: [String]) {
        do throws(BenchError) {
            let options = try BenchOptions(arguments)
            Loop.runMain {
                do {
                    try await Bench(options).run()
                    return 0
                } catch {
                    complain("\(error)")
                    return 1
                }
            }
        } catch {
            complain("\(error); --help lists the options")
            exit(usageStatus)
        }
    }

    private static func complain(_ text: String) {
        let bytes = [UInt8]("lintel-bench: \(text)\n".utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
