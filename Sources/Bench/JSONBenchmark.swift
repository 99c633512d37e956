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

    /// Measures parsing and writing.
    ///
    /// - Returns: nanoseconds per operation of each way, and how many times as long as ours Foundation's ways take.
    static func run() -> JSON {
        let bytes = Array(message.utf8)
        let data = Data(bytes)
        let decoder = JSONDecoder()
        let encoder = JSONEncoder()
        guard let value = try? JSON.parse(bytes),
            let decoded = try? decoder.decode(StateMessage.self, from: data),
            let object = try? JSONSerialization.jsonObject(with: data)
        else { return ["error": "the message is not read"] }

        let medians = measure([
            { keep(try? JSON.parse(bytes)) },
            { keep(value.serialized()) },
            { keep(written(message: 1841)) },
            { keep(try? decoder.decode(StateMessage.self, from: data)) },
            { keep(try? encoder.encode(decoded)) },
            { keep(try? JSONSerialization.jsonObject(with: data)) },
            { keep(try? JSONSerialization.data(withJSONObject: object)) },
        ])
        let ours = medians[0] + medians[1]
        return [
            "bytes": JSON(bytes.count),
            "lintel": ["parse_ns": .double(medians[0]), "write_ns": .double(medians[1])],
            "lintel_writer": ["write_ns": .double(medians[2])],
            "codable": ["parse_ns": .double(medians[3]), "write_ns": .double(medians[4])],
            "json_serialization": ["parse_ns": .double(medians[5]), "write_ns": .double(medians[6])],
            "ratio_codable": ratio(medians[3] + medians[4], to: ours),
            "ratio_json_serialization": ratio(medians[5] + medians[6], to: ours),
        ]
    }

    /// The processor time of one call of each body, in nanoseconds: the median over rounds.
    ///
    /// In each round every body has its turn, so that a slow spell of the machine falls on all of them.
    private static func measure(_ bodies: [() -> Void]) -> [Double] {
        let rounds = 41
        let calls = 1_000
        var times = [[Double]](repeating: [], count: bodies.count)
        for _ in 0..<rounds {
            for (index, body) in bodies.enumerated() {
                let start = threadTime()
                for _ in 0..<calls { body() }
                times[index].append(Double(threadTime() - start) / Double(calls))
            }
        }
        return times.map { $0.sorted()[rounds / 2].rounded() }
    }

    private static func ratio(_ theirs: Double, to ours: Double) -> JSON {
        .double((theirs / ours * 10).rounded() / 10)
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
