import Testing

@testable import lintel_bench

@Suite("Options of the benchmark")
struct OptionsTests {
    @Test("Counts for ramp and recovery are measured as well")
    func counts() throws {
        let options = try BenchOptions(["--counts", "1,50", "--ramp-counts", "100", "--recovery-counts", "50"])
        #expect(options.counts == [1, 50, 100])
        #expect(options.recoveryCounts == [50])
    }

    @Test(
        "Nonsense is refused",
        arguments: [["--counts", "0"], ["--counts"], ["--frobnicate", "1"], ["--twin", "--version", "3.4"]]
    )
    func refused(arguments: [String]) {
        #expect(throws: BenchError.self) { try BenchOptions(arguments) }
    }
}
