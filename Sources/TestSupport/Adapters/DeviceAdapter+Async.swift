package import DeviceInterface
import EventLoop
package import HomeModel
package import JSON

extension DeviceAdapter {
    /// Writes and waits for the reply.
    package func write(
        _ values: JSONObject,
        to device: VendorID,
        within deadline: Duration = .seconds(5)
    ) async -> Result<WriteReceipt, CommandError> {
        await withCheckedContinuation { continuation in
            write(WriteRequest(device: device, values: values, deadline: deadline)) {
                continuation.resume(returning: $0)
            }
        }
    }

    /// Reads and waits for the reply.
    package func read(
        _ device: VendorID,
        properties: [String]? = nil,
        within deadline: Duration = .seconds(5)
    ) async -> Result<ReadResult, CommandError> {
        await withCheckedContinuation { continuation in
            read(ReadRequest(device: device, properties: properties, deadline: deadline)) {
                continuation.resume(returning: $0)
            }
        }
    }

    /// Invokes an action and waits for the reply.
    package func invoke(
        _ action: String,
        _ input: JSON = .null,
        on device: VendorID,
        within deadline: Duration = .seconds(5)
    ) async -> Result<JSON, CommandError> {
        await withCheckedContinuation { continuation in
            invoke(InvokeRequest(device: device, action: action, input: input, deadline: deadline)) {
                continuation.resume(returning: $0)
            }
        }
    }
}
