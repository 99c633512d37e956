import Foundation
import JSON

/// Compares our JSON with Foundation's on the state message that every report of a lamp becomes.
///
/// Times are those of the calling thread's processor, so that other programs disturb little: the median of batches.
enum JSONBenchmark {
    /// A report of a colour lamp on the plugin wire, about 200 bytes.
    static let message = """
        {"jsonrpc":"2.0","method":"device/state","params":{"device":"bf0123456789abcdefgh","seq":1841,\
        "at":1764514830123,"state":{"power":true,"brightness":254,"mode":"white","color_temp":2700,\
        "color":{"h":120,"s":50.5}}}}
        """

    /// Measures parsing, writing and both together.
    ///
    /// - Returns: nanoseconds per operation of each way, and how many times as long as ours Foundation's ways take.
    static func run() -> JSON {
        let bytes = Array(message.utf8)
        let ours = measure(parse: { try JSON.parse(bytes) }, write: { $0.serialized() })
        let writer = nanoseconds { written(message: 1841) }
        let data = Data(bytes)
        let decoder = JSONDecoder()
        let encoder = JSONEncoder()
        let codable = measure(
            parse: { try decoder.decode(StateMessage.self, from: data) },
            write: { try encoder.encode($0) }
        )
        let serialization = measure(
            parse: { try JSONSerialization.jsonObject(with: data) },
            write: { try JSONSerialization.data(withJSONObject: $0) }
        )
        return [
            "bytes": JSON(bytes.count),
            "lintel": ours.json,
            "lintel_writer": ["write_ns": .double(writer)],
            "codable": codable.json,
            "json_serialization": serialization.json,
            "ratio_codable": .double(codable.both / ours.both),
            "ratio_json_serialization": .double(serialization.both / ours.both),
        ]
    }

    private struct Timing {
        var parse: Double
        var write: Double
        var both: Double { parse + write }

        var json: JSON {
            ["parse_ns": .double(parse), "write_ns": .double(write), "both_ns": .double(both)]
        }
    }

    private static func measure<Value, Output>(
        parse: () throws -> Value,
        write: (Value) throws -> Output
    ) -> Timing {
        guard let value = try? parse() else { return Timing(parse: .nan, write: .nan) }
        return Timing(
            parse: nanoseconds { try? parse() },
            write: nanoseconds { try? write(value) }
        )
    }

    /// The median over batches of the processor time of one call, in nanoseconds.
    private static func nanoseconds<Result>(_ body: () -> Result) -> Double {
        let batches = 31
        let calls = 2_000
        var times: [Double] = []
        for _ in 0..<batches {
            let start = threadTime()
            for _ in 0..<calls { keep(body()) }
            times.append(Double(threadTime() - start) / Double(calls))
        }
        times.sort()
        return times[batches / 2].rounded()
    }

    private static func threadTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// Uses a result where the optimiser cannot see it.
    @inline(never)
    private static func keep<Result>(_ result: Result) {
        withExtendedLifetime(result) {}
    }

    /// The message as the hot path writes it: without a value in between.
    private static func written(message sequence: Int) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("jsonrpc")
        writer.string("2.0")
        writer.key("method")
        writer.string("device/state")
        writer.key("params")
        writer.beginObject()
        writer.key("device")
        writer.string("bf0123456789abcdefgh")
        writer.key("seq")
        writer.integer(sequence)
        writer.key("at")
        writer.integer(1_764_514_830_123)
        writer.key("state")
        writer.beginObject()
        writer.key("power")
        writer.bool(true)
        writer.key("brightness")
        writer.integer(254)
        writer.key("mode")
        writer.string("white")
        writer.key("color_temp")
        writer.integer(2700)
        writer.key("color")
        writer.beginObject()
        writer.key("h")
        writer.integer(120)
        writer.key("s")
        writer.double(50.5)
        writer.endObject()
        writer.endObject()
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }
}

/// The same message for Foundation's coders.
private struct StateMessage: Codable {
    struct Parameters: Codable {
        struct State: Codable {
            struct Color: Codable {
                var h: Int
                var s: Double
            }

            enum CodingKeys: String, CodingKey {
                case power, brightness, mode, color
                case colorTemperature = "color_temp"
            }

            var power: Bool
            var brightness: Int
            var mode: String
            var colorTemperature: Int
            var color: Color
        }

        var device: String
        var seq: Int
        var at: Int
        var state: State
    }

    var jsonrpc: String
    var method: String
    var params: Parameters
}
