import EventLoop
import HomeModel
package import JSON
import TuyaProtocol

extension TuyaAdapter {
    package func diagnostics() async -> JSON {
        var list: [JSON] = []
        for device in devices.values.sorted(by: { $0.id.text < $1.id.text }) { list.append(facts(of: device)) }
        var object: JSONObject = ["devices": .array(list)]
        object["discovered"] = .array(discovered)
        object["strangers"] = .object(JSONObject((house?.strangers ?? [:]).map { ($0.key, .string($0.value)) }))
        if let discovery {
            object["discovery"] = [
                "calling": .bool(discovery.isCalling), "dropped": JSON(discovery.dropped),
                "troubles": .array(
                    discovery.troubles.map { ["port": JSON(Int($0.port)), "reason": .string($0.reason)] }
                ),
            ]
        }
        object["pairing"] = [
            "sessions": .array(runs.keys.sorted().map { .string($0.text) }), "account": .bool(desk?.hasCloud ?? false),
        ]
        return .object(object)
    }

    private func facts(of device: TuyaDevice) -> JSON {
        var object: JSONObject = ["id": .string(device.id.text), "configured": .bool(device.isConfigured)]
        if let connectivity = device.connectivity {
            object["online"] = .bool(connectivity.isOnline)
            object["reason"] = connectivity.reason.map { .string($0.rawValue) }
        }
        object["last_error"] = device.lastError.map { .string($0) }
        object["last_report"] = device.lastReport.map { .string($0.description) }
        object["points"] = .array(device.state.points.points.ids.sorted().map { JSON($0) })
        if let hub = device.settings.hub {
            object["hub"] = .string(hub)
            object["cid"] = device.settings.childID.map { .string($0) }
        } else if let line = line(of: device) {
            add(line.session.machine, to: &object)
        }
        return .object(object)
    }

    private func add(_ machine: SessionMachine, to object: inout JSONObject) {
        object["version"] = machine.version.map { .string($0.text) }
        object["address"] = machine.address.map { .string($0.description) }
        object["phase"] = .string(machine.phaseName)
        object["last_frame_error"] = machine.lastError.map { .string($0) }
        let counters = machine.counters
        object["counters"] = [
            "connects": JSON(Int(counters.connects)), "sessions": JSON(Int(counters.sessions)),
            "frames_in": JSON(Int(counters.framesIn)), "frames_out": JSON(Int(counters.framesOut)),
            "reports": JSON(Int(counters.reports)), "sets": JSON(Int(counters.sets)),
            "retries": JSON(Int(counters.retries)), "timeouts": JSON(Int(counters.timeouts)),
            "bad_frames": JSON(Int(counters.badFrames)), "unparsable": JSON(Int(counters.unparsable)),
        ]
    }

    /// Devices that were heard and that nobody has configured.
    private var discovered: [JSON] {
        table.ids.compactMap { id in
            guard devices[VendorID(id)] == nil, let sighting = table[id] else { return nil }
            var object: JSONObject = ["id": .string(id), "address": .string(sighting.source.ip)]
            object["version"] = sighting.version.map { .string($0.text) }
            object["product"] = sighting.productKey.map { .string($0) }
            object["activated"] = sighting.isActivated.map { .bool($0) }
            object["fields"] = sighting.fields.map { .object($0) }
            return .object(object)
        }
    }
}
