package import EventLoop
internal import Glibc
package import TuyaProtocol

/// What a set of simulated devices is made of; the same plan gives the same ids, keys and addresses.
package struct HousePlan: Sendable, Equatable {
    package var count = 4
    /// Given to the devices in turn, as are types and generations.
    package var versions: [ProtocolVersion] = [.v33]
    package var types: [LightType] = [.rgbcw]
    package var generations: [LightGeneration] = [.second]
    /// The address and port of the first device; the others follow it, address by address.
    package var firstAddress = SocketAddress(ipv4: 0x7F00_0002, port: 6668)
    package var seed: UInt64 = 1
    /// 16 characters; the same local key for all devices instead of one of its own for each.
    package var sharedKey: String?
    /// Device ids are this text and a number instead of random characters.
    package var idPrefix: String?
    /// The number of the first device behind ``idPrefix``.
    package var firstNumber = 0
    /// The least digits of that number.
    package var idDigits = 6
    /// Every device is a plug with metering instead of a light.
    package var arePlugs = false

    package init() {}

    /// The devices, in the order of their addresses.
    package func devices() -> [(identity: LampIdentity, product: Product)] {
        var random = SeededGenerator(seed: seed)
        let lowerCase = "abcdefghijklmnopqrstuvwxyz0123456789"
        let printable = lowerCase + "ABCDEFGHIJKLMNOPQRSTUVWXYZ'&=-#!<>~*{}[]|;:,.?/@$%^()_+\"\\"
        return (0..<count).map { index in
            let version = versions[index % versions.count]
            let type = types[index % types.count]
            let product: Product = arePlugs ? .meteringPlug : .light(type, generations[index % generations.count])
            // Drawn whether they are used or not, so that one option does not change what the others give.
            let id = "bf" + random.text(version == .v32 ? 20 : 18, of: lowerCase)
            let uuid = random.text(16, of: lowerCase)
            let key = random.text(LocalKey.length, of: printable)
            let identity = LampIdentity(
                id: idPrefix.map { $0 + digits(firstNumber + index) } ?? id,
                uuid: uuid,
                localKey: sharedKey ?? key,
                version: version,
                address: SocketAddress(
                    ipv4: (firstAddress.ipv4 ?? 0x7F00_0002) + UInt32(index),
                    port: firstAddress.port
                ),
                name: arePlugs ? "Plug \(index + 1)" : "Lamp \(index + 1) (\(type.rawValue))"
            )
            return (identity, product)
        }
    }

    /// A number with at least ``idDigits`` digits.
    private func digits(_ number: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, idDigits - text.count)) + text
    }
}
