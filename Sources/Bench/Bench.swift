import EventLoop
import Glibc
import JSON
import Simulators
import TuyaProtocol

/// The whole run: for each number of lamps the recoveries of each subject alone, then both side by side.
@Loop
final class Bench {
    private let options: BenchOptions
    private let subjects: [any Subject]
    private let folder: String
    private var events: [String] = []

    init(_ options: BenchOptions) throws(BenchError) {
        self.options = options
        let beside = Self.programFolder()
        func subjectPath(_ given: String?, _ name: String) -> String { given ?? beside + "/" + name }
        var subjects: [any Subject] = [FloorSubject(executable: subjectPath(options.floorPath, "lintel-bench-floor"))]
        switch options.rival {
        case .none: break
        case .twin:
            subjects.append(
                FloorSubject(executable: subjectPath(options.floorPath, "lintel-bench-floor"), isTwin: true)
            )
        case .lintel:
            subjects.append(
                LintelSubject(
                    executable: subjectPath(options.lintelPath, "lintel"),
                    pluginFolder: options.pluginFolder,
                    setPause: options.setPause
                )
            )
        }
        self.subjects = subjects
        var template = [UInt8]("/tmp/lintel-bench-XXXXXX".utf8).map { CChar(bitPattern: $0) } + [0]
        guard mkdtemp(&template) != nil else { throw .cannotWrite("/tmp") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func programFolder() -> String {
        var path = [CChar](repeating: 0, count: 4096)
        let count = max(0, readlink("/proc/self/exe", &path, path.count))
        let text = String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return "/" + text.split(separator: "/").dropLast().joined(separator: "/")
    }

    /// Runs everything and writes the results.
    func run() async throws {
        DescriptorLimit.raise()
        let folder = folder
        try Children.all.endWithSignals { SystemFile.removeFolder(folder) }
        defer {
            // Nothing runs any more, unless the run has failed.
            Children.all.endAll()
            SystemFile.removeFolder(folder)
        }
        var results = BenchResults(
            subjects: subjects.map(\.name),
            machine: Machine(),
            conditions: [
                "protocol": .string(options.version.text), "paced_per_second": .rounded(options.pacedRate),
                "steady_per_second": .rounded(options.steadyRate), "qos": 1, "quick": .bool(options.isQuick),
                "set_pause_ms": options.setPause.map { JSON($0) } ?? "default",
            ],
            jsonSpeed: JSONBenchmark.run()
        )
        for count in options.counts { results.add(lamps: count, try await measure(count)) }
        try write(results)
    }

    private func measure(_ count: Int) async throws -> [CountResults] {
        var results = subjects.map { _ in CountResults() }
        let running = try subjects.map { subject in
            let house = try TuyaLampHouse(subject.plan(lamps: count, options))
            for lamp in house.lamps { lamp.habits.maximumClients = 3 }
            do throws(LoopError) {
                try house.start()
            } catch {
                let address = house.lamps[0].identity.address
                throw BenchError.cannotStart("\(count) lamps from \(address) on", reason: "\(error)")
            }
            return RunningSubject(subject, house)
        }
        defer { for subject in running { subject.house.stop() } }
        try await recoveries(count, running, &results)
        try await sideBySide(count, running, &results)
        return results
    }

    private func recoveries(_ count: Int, _ running: [RunningSubject], _ results: inout [CountResults]) async throws {
        for round in 1...options.rounds {
            for (index, subject) in running.enumerated() {
                say("\(count) lamps: start and return of \(subject.subject.name), round \(round) of \(options.rounds)")
                let figures = try await RecoveryExperiment(
                    subject: subject,
                    folder: freshFolder("recovery"),
                    options: options,
                    triesFaults: options.recoveryCounts.contains(count)
                ).run()
                results[index].starts.append(figures.start)
                figures.back.map { results[index].backs.append($0) }
                figures.herd.map { results[index].herds.append($0) }
                figures.broker.map { results[index].brokerReturns.append($0) }
            }
        }
    }

    private func sideBySide(_ count: Int, _ running: [RunningSubject], _ results: inout [CountResults]) async throws {
        let rig = try await Rig(running, folder: freshFolder("side-by-side"))
        for index in running.indices { results[index].starts.append(try await rig.start(index)) }
        try await Loop.sleep(for: .seconds(options.isQuick ? 1 : 3))
        for (index, subject) in running.enumerated() {
            results[index].memory = subject.pids.compactMap { ProcessMeter(pid: $0).memory }
        }
        say("\(count) lamps: \(options.pacedMessages) paced messages each way")
        try await paced(count, rig, &results)
        if options.rampCounts.contains(count) { try await loaded(count, rig, &results) }
        try await rig.stop()
    }

    private func paced(_ count: Int, _ rig: Rig, _ results: inout [CountResults]) async throws {
        let listener = try await LoadClient.connect(
            port: rig.broker.port,
            clientID: "lintel-bench-answers",
            filters: subjects.map { "\($0.baseTopic)/device/+/response" }
        )
        listener.onMessage = { topic, payload, moment in
            for traffic in rig.traffics { traffic.receive(topic: topic, payload: payload, at: moment) }
        }
        if options.eventsPath != nil { record(count, rig) }
        let figures = try await PacedExperiment(
            rig: rig,
            rate: options.pacedRate,
            messages: options.pacedMessages,
            slice: options.isQuick ? .seconds(1) : .seconds(2)
        ).run()
        for index in results.indices { results[index].paced = figures[index] }
        for traffic in rig.traffics { traffic.onArrival = nil }
        await listener.stop()
    }

    private func loaded(_ count: Int, _ rig: Rig, _ results: inout [CountResults]) async throws {
        say("\(count) lamps: processor time at \(Int(options.steadyRate)) messages a second")
        let steady = try await SteadyExperiment(rig: rig, options: options).run()
        for index in results.indices { results[index].steady = steady[index] }
        for direction in Direction.allCases {
            for index in results.indices {
                let outcome = try await RampExperiment(rig: rig, index: index, direction: direction, options: options)
                    .run()
                results[index].ramps[direction] = outcome
                let rate = outcome.best.map { FigureText.fixed($0.rate, 0) } ?? "none"
                say("\(count) lamps: \(subjects[index].name) \(direction.plural): \(rate)/s, then \(outcome.limit)")
            }
        }
    }

    private func record(_ count: Int, _ rig: Rig) {
        for (index, traffic) in rig.traffics.enumerated() {
            let name = subjects[index].name
            traffic.onArrival = { [unowned self] direction, lamp, sent, arrived in
                events.append("\(count),\(name),\(direction),\(lamp),\(sent.nanoseconds),\(arrived.nanoseconds)")
            }
        }
    }

    // MARK: Output

    private func write(_ results: BenchResults) throws(BenchError) {
        mkdir(options.outputFolder, 0o755)
        try SystemFile.write(results.json.text + "\n", to: options.outputFolder + "/latest.json")
        let report = MarkdownReport(results: results).text
        try SystemFile.write(report, to: options.outputFolder + "/table.md")
        try SystemFile.write(LatencyPlot(results: results).svg, to: options.outputFolder + "/latency.svg")
        try SystemFile.write(ThroughputPlot(results: results).svg, to: options.outputFolder + "/throughput.svg")
        if let path = options.eventsPath {
            let head = "lamps,subject,direction,lamp,sent_ns,arrived_ns"
            try SystemFile.write(([head] + events).joined(separator: "\n") + "\n", to: path)
        }
        print(report)
        fflush(nil)
    }

    private func freshFolder(_ name: String) -> String {
        folders += 1
        let path = folder + "/\(folders)-\(name)"
        mkdir(path, 0o755)
        return path
    }

    private var folders = 0

    private func say(_ text: String) {
        let bytes = [UInt8]((text + "\n").utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
