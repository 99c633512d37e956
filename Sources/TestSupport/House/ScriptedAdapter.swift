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
