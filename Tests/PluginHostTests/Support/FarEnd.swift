import EventLoop
import Glibc
import PluginHost
import TestSupport

/// The plugin's end of a connection.
@Loop
final class FarEnd {
    let connection: PluginConnection
    let recorder = FlightRecorder()
    private(set) var fault: String?
    private let far: PipeConnection
    private var heardLines: [String] = []
    private var hasEnded = false
    private let fact = Fact()

    struct Fault: Error {}

    init() throws {
        var pair: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 else { throw Fault() }
        let near = try PipeConnection(descriptor: pair[0])
        far = try PipeConnection(descriptor: pair[1])
        connection = PluginConnection(input: near, output: near, recorder: recorder)
        connection.onFault = { [weak self] in
            self?.fault = $0
            self?.fact.changed()
        }
        connection.onEnd = { [weak self] in
            self?.hasEnded = true
            self?.fact.changed()
        }
        connection.open()
        far.onBytes = { [weak self] bytes in
            self?.heardLines.append(String(decoding: bytes, as: UTF8.self))
            self?.fact.changed()
        }
    }

    func say(_ line: [UInt8]) { far.write(line + [0x0a]) }

    func heard(_ isMet: @escaping @Loop ([String]) -> Bool) async {
        await fact.until { isMet(self.heardLines) }
    }

    /// Closes our direction and waits until the other end has read all, or has stopped reading for a fault.
    func finished() async {
        far.finish()
        await heard { _ in self.hasEnded || self.fault != nil }
    }
}
