import FuzzSupport
import JSON
import TuyaProtocol

/// A discovery datagram: the input as it is, and the input as the body of a datagram whose checksum is right.
@main
struct FuzzBeacon: FuzzTarget {
    static func test(_ input: [UInt8]) {
        guard let decoder = try? DiscoveryDecoder(), let encoder = try? DiscoveryEncoder() else {
            fatalError("no codec")
        }
        check(decoder.classify(input))
        for protection in [DiscoveryEncoder.Protection.clear, .ecb, .sealed] {
            for command in [Command.announcement, .hotspotAnnouncement] {
                guard let datagram = try? encoder.datagram(protection, command, returnCode: 0, body: input) else {
                    continue
                }
                let message = decoder.classify(datagram)
                check(message)
                if case .drop(let error) = message {
                    expect(!error.isChecksumFailure && error != .badSuffix, "our own datagram is not read")
                }
            }
        }
        _ = WiFiNetwork.list(input)
        if let json = try? JSON.parse(input), let schema = DeviceSchema(json: json) {
            expect(DeviceSchema(json: schema.json) == schema, "a schema does not survive being kept")
            _ = LightProfile(schema: schema)
        }
    }

    private static func check(_ message: DiscoveryMessage) {
        switch message {
        case .device(let beacon): expect(beacon.gatewayID?.isEmpty == false, "a device without an id")
        case .request(let beacon): expect(beacon.fields["from"] == "app", "a request from nobody")
        case .hotspotDevice: break
        case .drop(let error): expect(!error.code.isEmpty, "an error without a name")
        }
    }
}
