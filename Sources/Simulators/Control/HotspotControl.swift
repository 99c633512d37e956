package import EventLoop
internal import JSON

/// Carries out the lines of the control channel of devices that are to be paired: one JSON object a line, or `help`.
@Loop
package struct HotspotControl {
    private let house: HotspotHouse

    package init(_ house: HotspotHouse) {
        self.house = house
    }

    /// What can be typed, with an example of each.
    package nonisolated static let help = """
        One JSON object a line. "device" is a number from 1 on, or "all".

          {"device":1,"press":"reset"}           make it new: off the LAN, back into its hotspot
          {"device":1,"press":"off"}             switch it off; "on" switches it on, as new
          {"device":1,"press":"confirm"}         go on, where it waits in the home's network
          {"device":1,"network":"HomeNet","outcome":"wrong_password"}
                                                 what joining comes to: joins, wrong_password, not_found, no_lease,
                                                 cloud_refuses, cloud_unreachable, silent
          {"device":1,"change":{"join_ms":50}}   change keys of its plan, for what begins after that
          {"device":1,"set":{"20":true}}         on the LAN: change values as at the device, and report them
          {"device":1,"show":true}               phase, addresses, id and last failure
        """

    /// Does what a line says.
    ///
    /// - Returns: the answer, one line of JSON, or the help.
    package func perform(_ line: String) -> String {
        let line = line.split(separator: "\r").first.map(String.init) ?? ""
        if line == "help" { return Self.help }
        do {
            return JSON.object(try answer(line)).text
        } catch let error as LampCommandError {
            return JSON.object(["ok": false, "error": .string(error.message)]).text
        } catch {
            return JSON.object(["ok": false, "error": .string("\(error)")]).text
        }
    }

    private func answer(_ line: String) throws -> JSONObject {
        guard let command = (try? JSON.parse(line))?.objectValue else { throw LampCommandError.notJSON(line) }
        let devices = try devices(command["device"])
        if let button = command["press"]?.stringValue {
            for device in devices { try press(button, on: device) }
        } else if let ssid = command["network"]?.stringValue {
            guard let outcome = command["outcome"]?.stringValue.flatMap(JoinOutcome.init(rawValue:)) else {
                throw LampCommandError.missing("outcome")
            }
            for device in devices { try script(ssid, outcome, device) }
        } else if let change = command["change"]?.objectValue {
            for device in devices {
                var plan = device.plan
                try plan.read(change)
                device.plan = plan
            }
        } else if let values = command["set"]?.objectValue {
            for device in devices {
                guard let lamp = device.lamp else { throw LampCommandError.refused("it is not on the LAN") }
                lamp.report(DataPointValues(values))
            }
        } else if command["show"] != nil {
            return ["ok": true, "devices": .array(devices.map(show))]
        } else {
            throw LampCommandError.refused("nothing to do; type help for examples")
        }
        return ["ok": true]
    }

    private func devices(_ name: JSON?) throws(LampCommandError) -> [HotspotLamp] {
        guard let name else { throw .missing("device") }
        if name == "all" { return house.devices }
        guard let number = name.intValue, (1...house.devices.count).contains(number) else {
            throw .noSuchLamp(name.text)
        }
        return [house.devices[number - 1]]
    }

    private func press(_ button: String, on device: HotspotLamp) throws {
        switch button {
        case "reset", "on": try device.pressReset()
        case "off": device.stop()
        case "confirm": device.confirm()
        default: throw LampCommandError.refused("\"press\" takes reset, on, off or confirm")
        }
    }

    private func script(_ ssid: String, _ outcome: JoinOutcome, _ device: HotspotLamp) throws(LampCommandError) {
        guard let index = device.plan.networks.firstIndex(where: { $0.ssid == ssid }) else {
            throw .refused("it sees no network \"\(ssid)\"")
        }
        device.plan.networks[index].outcome = outcome
    }

    private func show(_ device: HotspotLamp) -> JSON {
        var object: JSONObject = [
            "name": .string(device.plan.name), "uuid": .string(device.plan.uuid),
            "habit": .string(device.plan.habit.rawValue), "phase": .string("\(device.phase)"),
            "hotspot": .string(device.plan.ssid), "last_failure": JSON(device.lastFailure),
        ]
        if let address = device.channelAddress { object["channel"] = .string("\(address)") }
        if let lamp = device.lamp {
            object["id"] = .string(lamp.identity.id)
            object["address"] = .string("\(lamp.identity.address)")
            object["values"] = .object(JSONObject(lamp.values.entries.map { (String($0.id), $0.value) }))
        }
        return .object(object)
    }
}
