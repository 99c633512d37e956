internal import EventLoop
package import JSON
internal import TuyaProtocol

extension TuyaLampHouse {
    /// How much a configuration tells about the devices.
    package enum Detail: Sendable {
        /// Address and version too.
        case everything
        /// Id and key only: the gateway has to find the rest out.
        case idsAndKeys
    }

    /// The `plugins:` section of a Lintel configuration with these devices, in YAML.
    package func configuration(_ detail: Detail = .everything) -> String {
        var lines = ["plugins:", "  tuya:", "    devices:"]
        for lamp in lamps {
            let identity = lamp.identity
            lines.append("      - id: \(identity.id)")
            lines.append("        local_key: \(JSON.string(identity.localKey).text)")
            if detail == .everything {
                lines.append("        address: \(identity.address.ip)")
                if identity.address.port != 6668 { lines.append("        port: \(identity.address.port)") }
                lines.append("        version: \"\(identity.version.text)\"")
            }
            lines.append("        name: \(JSON.string(identity.name).text)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The devices as tinytuya's `devices.json` lists them.
    package func devicesJSON() -> JSON {
        .array(
            lamps.map { lamp in
                [
                    "name": .string(lamp.identity.name), "id": .string(lamp.identity.id),
                    "key": .string(lamp.identity.localKey), "uuid": .string(lamp.identity.uuid),
                    "ip": .string(lamp.identity.address.ip), "version": .string(lamp.identity.version.text),
                    "category": .string(lamp.product.category), "product_id": .string(lamp.product.productKey),
                    "product_name": .string(lamp.product.name), "sub": false,
                ]
            }
        )
    }
}
