public import JSON

/// `initialize/devices`: known devices that come before ``InitializeCall``, because they are too many for its line.
public struct DevicesCall: Sendable {
    /// A part of the devices that the gateway knows.
    public var devices: [WireDevice]

    /// Wraps a part of the devices.
    public init(devices: [WireDevice]) { self.devices = devices }

    /// `{"devices"}`.
    public var params: JSONObject { ["devices": .array(devices.map { .object($0.json) })] }

    /// Reads the form that ``params`` writes.
    public init(params members: JSONObject) throws(WireFailure) {
        devices = try WireDevice.list(members, of: .initializeDevices)
    }

    /// Splits devices so that each part is well within a line; the last part is for ``InitializeCall``.
    ///
    /// - Parameter budget: how many bytes the devices of one part may take.
    public static func parts(of devices: [WireDevice], budget: Int = 512 << 10) -> (
        earlier: [DevicesCall], last: [WireDevice]
    ) {
        var earlier: [DevicesCall] = []
        var part: [WireDevice] = []
        var size = 0
        for device in devices {
            let bytes = JSON.object(device.json).serialized().count + 1
            if size + bytes > budget, !part.isEmpty {
                earlier.append(DevicesCall(devices: part))
                part = []
                size = 0
            }
            part.append(device)
            size += bytes
        }
        return (earlier, part)
    }
}
