package import EventLoop
internal import JSON
internal import TuyaProtocol

/// Carries out the lines of the control channel: one JSON object a line, or the word `help`.
@Loop
package struct LampControl {
    private let house: TuyaLampHouse

    package init(_ house: TuyaLampHouse) {
        self.house = house
    }

    /// What can be typed, with an example of each.
    package nonisolated static var help: String {
        var lines = [
            "One JSON object a line. \"lamp\" is a number from 1 on, a device id, or \"all\".",
            "",
            "  {\"lamp\":1,\"set\":{\"20\":true}}      change values as at the device, and report them",
            "  {\"lamp\":1,\"change\":{\"20\":true}}   change values without a word",
            "  {\"lamp\":1,\"show\":true}            state, counts and faults",
            "  {\"lamp\":1,\"fault\":\"delay\",\"ms\":300}",
            "",
            "Faults, with what else they take (\"on\":false takes back those that take nothing):",
            "",
        ]
        for fault in LampFaultCommand.all {
            let example = "\"fault\":\"\(fault.name)\"" + (fault.usage.isEmpty ? "" : ",\(fault.usage)")
            let gap = String(repeating: " ", count: max(1, 58 - example.count))
            lines.append("  \(example)\(gap)\(fault.help)")
        }
        return lines.joined(separator: "\n")
    }

    /// Does what a line says.
    ///
    /// - Returns: the answer, one line of JSON, or the help.
    package func perform(_ line: String) -> String {
        let line = line.split(separator: "\r").first.map(String.init) ?? ""
        if line == "help" { return Self.help }
        do throws(LampCommandError) {
            return JSON.object(try answer(line)).text
        } catch {
            return JSON.object(["ok": false, "error": .string(error.message)]).text
        }
    }

    private func answer(_ line: String) throws(LampCommandError) -> JSONObject {
        let command = try parse(line)
        let lamps = try lamps(command["lamp"])
        if let values = command["set"]?.objectValue {
            for lamp in lamps { lamp.report(DataPointValues(values)) }
        } else if let values = command["change"]?.objectValue {
            for lamp in lamps { lamp.change(DataPointValues(values)) }
        } else if let name = command["fault"]?.stringValue {
            guard let fault = LampFaultCommand.all.first(where: { $0.name == name }) else { throw .unknownFault(name) }
            for lamp in lamps { try fault.apply(lamp, LampFaultCommand.Arguments(object: command)) }
        } else if command["show"] != nil {
            return ["ok": true, "lamps": .array(lamps.map(show))]
        } else {
            throw .nothingToDo
        }
        return ["ok": true]
    }

    private func parse(_ line: String) throws(LampCommandError) -> JSONObject {
        let value: JSON
        do throws(JSONError) { value = try JSON.parse(line) } catch { throw .notJSON("\(error)") }
        guard let object = value.objectValue else { throw .notJSON("it is another value") }
        return object
    }

    private func lamps(_ name: JSON?) throws(LampCommandError) -> [TuyaLamp] {
        switch name {
        case nil: throw .missing("lamp")
        case .string("all")?: return house.lamps
        case .string(let id)?:
            guard let lamp = house.lamps.first(where: { $0.identity.id == id }) else { throw .noSuchLamp("\"\(id)\"") }
            return [lamp]
        case let other?:
            guard let number = other.intValue, (1...house.lamps.count).contains(number) else {
                throw .noSuchLamp(other.text)
            }
            return [house.lamps[number - 1]]
        }
    }

    private func show(_ lamp: TuyaLamp) -> JSON {
        [
            "id": .string(lamp.identity.id), "product": .string(lamp.product.name),
            "version": .string(lamp.identity.version.text), "address": .string("\(lamp.identity.address)"),
            "listening": .bool(lamp.isListening), "clients": .integer(Int64(lamp.connectionCount)),
            "values": .object(JSONObject(lamp.values.entries.map { (String($0.id), $0.value) })),
            "sets": .integer(Int64(lamp.counts.sets)), "queries": .integer(Int64(lamp.counts.queries)),
            "reports": .integer(Int64(lamp.counts.reports)), "healthy": .bool(lamp.faults == LampFaults()),
        ]
    }
}
