import HomeModel
import Hub
import JSON
import Registry

/// Figures of a registry with 1,000 lamps, on the disk that the directory is on.
func measure(_ directory: String) async throws {
    let clock = ContinuousClock()
    let options = RegistryOptions(directory: directory)
    let lamps = try (0..<1000).map { try lamp($0) }
    var registry = try await Registry.open(options)

    let all = try await clock.measure {
        let changes = lamps.flatMap { lamp -> [HouseChange] in
            [.putDevice(lamp), .putSecrets(Secrets(["local_key": "0123456789abcdef"]), device: lamp.id)]
        }
        try await registry.commit(changes)
    }
    say("commit of 1,000 devices with a secret each: \(all)")

    var single: [Duration] = []
    for lamp in lamps { single.append(try await clock.measure { try await registry.commit([.putDevice(lamp)]) }) }
    single.sort()
    say("commit of one device: p50 \(single[500]), p99 \(single[990])")

    let state: JSONObject = [
        "power": true, "brightness": 191, "mode": "white", "color_temp": 4000, "color": ["h": 120, "s": 80],
    ]
    let rounds = 100
    let noting = clock.measure {
        for round in 0..<rounds {
            for lamp in lamps { registry.note(.state(lamp.id, state, at: Timestamp(milliseconds: Int64(round)))) }
        }
    }
    say("note: \(noting / (rounds * 1000))")
    let flushing = await clock.measure { await registry.flush() }
    say("flush of 1,000 states: \(flushing)")
    for lamp in lamps {
        registry.note(
            .command(
                CommandTrace(
                    device: lamp.id,
                    at: Timestamp(milliseconds: 1),
                    source: "mqtt",
                    request: .object(state),
                    outcome: "confirmed"
                )
            )
        )
    }
    let commands = await clock.measure { await registry.flush() }
    say("flush of 1,000 commands: \(commands)")

    await registry.close()
    let clean = try await clock.measure { registry = try await Registry.open(options) }
    say("open after a clean end: \(clean)")
    var house = StoredHouse()
    let loading = try await clock.measure { house = try await registry.load() }
    say("load of \(house.devices.count) devices: \(loading)")
    await registry.close()
}

private func lamp(_ number: Int) throws -> DeviceRecord {
    guard let id = DeviceID("bf0123456789abcdef\(number)"), let plugin = PluginID("tuya") else {
        throw CommandError(.internal, "these are ids")
    }
    let vendorID = VendorID(id.text)
    var description = DeviceDescription(vendorID: vendorID, name: "Lamp \(number)", kind: .light, manufacturer: "Tuya")
    description.properties = [
        PropertyDescription("power", title: "Power", role: .power, schema: .boolean),
        PropertyDescription("brightness", title: "Brightness", role: .brightness, schema: .integer(0...255)),
        PropertyDescription(
            "mode",
            title: "Mode",
            role: .lightMode,
            schema: .choice(["white", "color", "scene", "music"])
        ),
        PropertyDescription(
            "color_temp",
            title: "Colour temperature",
            role: .colorTemperature,
            schema: .integer(2700...6500, unit: "K")
        ),
        PropertyDescription(
            "color",
            title: "Colour",
            role: .color,
            schema: .object([.init("h", .integer(0...360)), .init("s", .integer(0...100))])
        ),
        PropertyDescription("countdown", title: "Countdown", role: .countdown, schema: .integer(0...86_400, unit: "s")),
    ]
    return DeviceRecord(
        id: id,
        plugin: plugin,
        vendorID: vendorID,
        description: description,
        createdAt: Timestamp(milliseconds: 1_700_000_000_000)
    )
}
