import EventLoop
import Glibc
import JSON
import Simulators
import TuyaProtocol

/// Prints what happens to the devices, one line each.
@Loop
struct SimulatorLog {
    private let numbers: [String: Int]

    init(_ house: TuyaLampHouse) {
        numbers = [String: Int](
            uniqueKeysWithValues: house.lamps.enumerated().map { ($1.identity.id, $0 + 1) }
        )
    }

    /// Prints an event that is worth a line.
    func record(_ lamp: TuyaLamp, _ event: LampEvent) {
        guard let text = Self.text(event) else { return }
        let number = numbers[lamp.identity.id] ?? 0
        Self.line("\(Self.clock()) lamp \(number) \(lamp.identity.address.ip) \(text)")
    }

    /// Prints a line at once, also into a pipe.
    static func line(_ text: String) {
        print(text)
        fflush(nil)
    }

    private static func text(_ event: LampEvent) -> String? {
        switch event {
        case .listening: "listens"
        case .connected(let peer): "connected from \(peer)"
        case .turnedAway(let peer): "turned \(peer) away"
        case .disconnected(let reason): "disconnected: \(reason)"
        case .negotiated: "agreed on a session key"
        case .received(let command, let sequence, let body):
            command == .heartbeat
                ? nil : "got \(command) #\(sequence) \(String(decoding: body, as: UTF8.self))"
        case .set(let accepted, _): "took \(accepted)"
        case .reported(let values): "reported \(values)"
        case .nonsense(let reason): "cannot read it: \(reason)"
        case .answered, .unheard: nil
        }
    }

    /// The time of day with milliseconds.
    nonisolated static func clock() -> String {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        var parts = tm()
        localtime_r(&time.tv_sec, &parts)
        let fields = [Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec)].map { $0 < 10 ? "0\($0)" : "\($0)" }
        let milliseconds = String(time.tv_nsec / 1_000_000)
        return fields.joined(separator: ":") + "." + String(repeating: "0", count: 3 - milliseconds.count)
            + milliseconds
    }
}
