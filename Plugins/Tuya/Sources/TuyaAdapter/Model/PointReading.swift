import HomeModel
import JSON
import TuyaProtocol

/// How a raw value becomes a value in the gateway's vocabulary, and back.
enum PointReading: Equatable, Sendable {
    /// As the schema says.
    case plain
    /// The number that the schema says, times this, in another unit.
    case factor(Double, unit: String)
    /// Whether the word is this one.
    case isWord(String)
    /// Voltage, current and power out of bytes: three properties.
    case phase(PhaseReading.PowerSign)
}

/// A property, or for phases three, that stands for a data point.
struct PointBinding: Equatable, Sendable {
    let point: DataPointSchema
    /// The property's name; the beginning of the names for a phase.
    let name: String
    let role: Role?
    let reading: PointReading
    /// Whether a command must say that its sender knows the device.
    let isExpertOnly: Bool

    private static let phaseParts: [(suffix: String, title: String, role: Role, unit: String)] = [
        ("voltage", "voltage", .voltage, "V"), ("current", "current", .current, "A"),
        ("power", "power", .powerDraw, "W"),
    ]

    // MARK: Description

    var descriptions: [PropertyDescription] {
        guard case .phase = reading else { return [description] }
        return Self.phaseParts.map { part in
            PropertyDescription(
                "\(name)_\(part.suffix)",
                title: "\(title) \(part.title)",
                role: part.role,
                schema: DataSchema(type: .number, unit: part.unit),
                access: .readOnly
            )
        }
    }

    private var description: PropertyDescription {
        PropertyDescription(
            name,
            title: title,
            role: role,
            schema: schema,
            access: access,
            isExpertOnly: isExpertOnly && access != .readOnly
        )
    }

    /// The code's words: `cur_power` is `Cur power`.
    private var title: String {
        let words = name.split(separator: "_").joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    var access: PropertyDescription.Access {
        if case .plain = reading {} else if case .factor = reading {} else { return .readOnly }
        switch point.transfer {
        case .sendAndReport: return .readWrite
        case .reportOnly: return .readOnly
        case .sendOnly: return .writeOnly
        }
    }

    private var schema: DataSchema {
        if case .isWord = reading { return .boolean }
        switch point.type {
        case .bool: return .boolean
        case .value(let range): return numberSchema(range)
        case .enumeration(let words): return words.isEmpty ? .string() : .choice(words)
        case .fault(let labels): return .array(of: labels.isEmpty ? .string() : .choice(labels))
        case .string(let limit): return .string(maxLength: limit)
        case .raw: return .string()
        }
    }

    private func numberSchema(_ range: ValueRange) -> DataSchema {
        if point.code == nil { return DataSchema(type: .integer) }
        let step = range.engineering(range.step)
        let ends = range.engineering(range.minimum)...range.engineering(range.maximum)
        if case .factor(let factor, let unit) = reading {
            return .number((ends.lowerBound * factor)...(ends.upperBound * factor), step: step * factor, unit: unit)
        }
        let unit = PointRole.unit(range.unit, role: role)
        if range.scale > 0 { return .number(ends, step: step, unit: unit) }
        return .integer(range.minimum...range.maximum, step: range.step > 1 ? range.step : nil, unit: unit)
    }

    // MARK: Values

    /// Adds the properties that a raw value means; a value of another type than the schema's adds nothing.
    func read(_ raw: JSON, into state: inout JSONObject) {
        switch reading {
        case .plain:
            if let value = point.engineering(raw) { state[name] = value }
        case .factor(let factor, _):
            guard let number = point.engineering(raw)?.doubleValue else { return }
            // Through whole billionths, so that a thousandth of 174 is written as 0.174.
            state[name] = .number((number * factor * 1e9).rounded() / 1e9)
        case .isWord(let word):
            if let text = raw.stringValue { state[name] = .bool(text == word) }
        case .phase(let sign):
            guard let text = raw.stringValue, let phase = PhaseReading(text, power: sign) else { return }
            state["\(name)_voltage"] = .number(phase.voltage)
            state["\(name)_current"] = .number(phase.current)
            state["\(name)_power"] = .number(phase.power)
        }
    }

    /// The raw value for a value that somebody wants to set.
    ///
    /// - Throws: `read_only`, `value_out_of_range` or `bad_request`.
    func raw(_ value: JSON) throws(CommandError) -> JSON {
        guard access != .readOnly else { throw CommandError(.readOnly, "\(name) is only reported by the device.") }
        var value = value
        if case .factor(let factor, _) = reading, let number = value.doubleValue { value = .double(number / factor) }
        do throws(DataPointSchema.ValueProblem) {
            return try point.settable(value)
        } catch {
            switch error {
            case .wrongType(let expected): throw CommandError(.badRequest, "\(name) must be \(expected).")
            case .notInRange(let words):
                throw CommandError(
                    .valueOutOfRange,
                    "\(name) has no such value.",
                    hint: words.isEmpty ? nil : "One of: \(words.joined(separator: ", "))."
                )
            case .tooLong(let limit): throw CommandError(.valueOutOfRange, "\(name) is longer than \(limit) bytes.")
            case .reportOnly: throw CommandError(.readOnly, "\(name) is only reported by the device.")
            }
        }
    }
}
