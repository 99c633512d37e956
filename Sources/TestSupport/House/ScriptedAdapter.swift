package import DeviceInterface
package import EventLoop
package import HomeModel
package import JSON
import Log

/// An adapter whose answers the test gives.
@Loop
package final class ScriptedAdapter: DeviceAdapter {
    package var writes: [(request: WriteRequest, reply: Reply<WriteReceipt>)] = []
    package var reads: [(request: ReadRequest, reply: Reply<ReadResult>)] = []
    package var invocations: [(request: InvokeRequest, reply: Reply<JSON>)] = []
    package var removed: [VendorID] = []
    /// All writes, also those that were answered.
    package private(set) var writeCount = 0
    package var onWrite: (@Loop () -> Void)?

    /// Sessions begun, answers and cancellations that came, networks that were told to be lost.
    package var starts: [PairingStart] = []
    package var answers: [JSONObject] = []
    package var cancelled: [PairingID] = []
    package var lost: [String] = []
    /// What the next start, or answer, is refused with.
    package var refusal: CommandError?
    /// Changes with each of those.
    package let fact = Fact()

    package func startPairing(_ start: PairingStart) async throws(CommandError) {
        starts.append(start)
        fact.changed()
        if let refusal { throw refusal }
    }

    package func answerPairing(_ session: PairingID, input: JSONObject) async throws(CommandError) {
        answers.append(input)
        fact.changed()
        if let refusal { throw refusal }
    }

    package func cancelPairing(_ session: PairingID) async {
        cancelled.append(session)
        fact.changed()
    }

    package func wifiLost(_ session: PairingID, ssid: String) { lost.append(ssid) }

    package func initialize(_ setup: AdapterSetup, host: any AdapterHost) async throws(CommandError) {}
    package func start() async throws(CommandError) {}
    package func stop() async {}
    package func read(_ request: ReadRequest, reply: @escaping Reply<ReadResult>) { reads.append((request, reply)) }
    package func write(_ request: WriteRequest, reply: @escaping Reply<WriteReceipt>) {
        writes.append((request, reply))
        writeCount += 1
        onWrite?()
    }
    package func invoke(_ request: InvokeRequest, reply: @escaping Reply<JSON>) { invocations.append((request, reply)) }
    package func remove(_ device: VendorID, unpair: Bool) async throws(CommandError) { removed.append(device) }
    package func configure(_ change: ConfigurationChange) async throws(CommandError) -> ConfigurationResult {
        ConfigurationResult(needsRestart: false)
    }
    package func diagnostics() async -> JSON { .null }
}
