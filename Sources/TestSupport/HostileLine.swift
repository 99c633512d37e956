package import JSON

/// Makes lines of JSON that are nearly right, from ones that are.
package enum HostileLine {
    private static let strangers: [JSON] = [
        nil, true, 0, -1, 1.5, 9_223_372_036_854_775_807, "", "x", [], [[]], [:], ["a": ["b": [1]]],
    ]

    /// A seed with a member of `params` or `result` replaced, dropped or added; now and then one with other members or with
    /// changed bytes.
    package static func make(from seeds: [JSON], with dice: inout Dice) -> [UInt8] {
        guard let seed = seeds.randomElement(using: &dice) else { return [] }
        guard Int.random(in: 0..<40, using: &dice) > 0 else { return mutated(seed.serialized(), with: &dice) }
        // The frame of the message mostly stays, so that what is in it is looked at, too.
        if case .object(var members) = seed, Int.random(in: 0..<40, using: &dice) > 0 {
            for key in ["params", "result"] { members[key] = members[key].map { mutated($0, with: &dice) } }
            if case .integer? = members["id"] { members["id"] = JSON(Int.random(in: 1...30, using: &dice)) }
            return JSON.object(members).serialized()
        }
        return mutated(seed, with: &dice).serialized()
    }

    private static func mutated(_ json: JSON, with dice: inout Dice) -> JSON {
        guard case .object(var members) = json, let key = members.keys.randomElement(using: &dice) else {
            return strangers.randomElement(using: &dice) ?? nil
        }
        switch Int.random(in: 0..<6, using: &dice) {
        case 0: members[key] = strangers.randomElement(using: &dice)
        case 1: members[key] = nil
        case 2: members["stranger"] = "x"
        case 3: break
        default: members[key] = members[key].map { mutated($0, with: &dice) }
        }
        return .object(members)
    }

    /// Changes, adds or removes a few bytes, or makes all of them anew; a newline may be among them.
    package static func mutated(_ line: [UInt8], with dice: inout Dice) -> [UInt8] {
        var line = line
        for _ in 0..<Int.random(in: 1...4, using: &dice) {
            let place = Int.random(in: 0..<max(1, line.count), using: &dice)
            switch Int.random(in: 0..<6, using: &dice) {
            case 0 where !line.isEmpty: line[place] = UInt8.random(in: 0...255, using: &dice)
            case 1 where !line.isEmpty: line[place] ^= 1 << UInt8.random(in: 0...7, using: &dice)
            case 2: line.insert(UInt8.random(in: 0...255, using: &dice), at: min(place, line.count))
            case 3 where !line.isEmpty: line.removeSubrange(place..<min(line.count, place + 5))
            case 4: line.append(contentsOf: line.prefix(place))
            default: line = (0..<60).map { _ in UInt8.random(in: 0...255, using: &dice) }
            }
        }
        return line
    }
}
