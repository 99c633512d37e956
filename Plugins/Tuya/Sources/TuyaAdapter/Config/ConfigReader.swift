import HomeModel
import JSON

/// Reads an object of the configuration member by member and gathers everything that is wrong, each with its key path.
struct ConfigReader {
    /// Where the object stands, such as `devices[2]`; empty for the plugin's whole section.
    let path: String
    private(set) var problems: [String] = []

    private let members: JSONObject
    private var known: [String] = []

    /// - Parameter json: what should be an object; anything else is a problem, and then every member is missing.
    init(_ json: JSON, at path: String) {
        self.path = path
        members = json.objectValue ?? JSONObject()
        if json.objectValue == nil { add("", "must be an object") }
    }

    /// The member as it stands; `null` counts as missing.
    mutating func value(_ key: String) -> JSON? {
        known.append(key)
        guard let value = members[key], !value.isNull else { return nil }
        return value
    }

    /// Text that is not empty; surrounding blanks are kept.
    mutating func text(_ key: String) -> String? {
        guard let value = value(key) else { return nil }
        guard case .string(let text) = value, !text.isEmpty else {
            add(key, value.doubleValue == nil ? "must be text" : "must be text: put it in quotes")
            return nil
        }
        return text
    }

    /// One of several words.
    mutating func word<Choice: RawRepresentable & CaseIterable>(_ key: String) -> Choice?
    where Choice.RawValue == String {
        guard let value = value(key) else { return nil }
        if let choice = value.stringValue.flatMap(Choice.init(rawValue:)) { return choice }
        add(key, "must be one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
        return nil
    }

    mutating func flag(_ key: String) -> Bool? {
        guard let value = value(key) else { return nil }
        if let flag = value.boolValue { return flag }
        add(key, "must be true or false")
        return nil
    }

    mutating func integer(_ key: String, _ range: ClosedRange<Int>) -> Int? {
        guard let value = value(key) else { return nil }
        if let number = value.intValue, range.contains(number) { return number }
        add(key, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        return nil
    }

    /// Whole numbers, at least one.
    mutating func integers(_ key: String, _ range: ClosedRange<Int>) -> [Int]? {
        guard let value = value(key) else { return nil }
        let numbers = value.arrayValue?.compactMap(\.intValue).filter(range.contains) ?? []
        if !numbers.isEmpty, numbers.count == value.arrayValue?.count { return numbers }
        add(key, "must be a list of whole numbers from \(range.lowerBound) to \(range.upperBound)")
        return nil
    }

    /// Words that are not empty; the list may be.
    mutating func texts(_ key: String) -> [String]? {
        guard let value = value(key) else { return nil }
        let texts = value.arrayValue?.compactMap(\.stringValue).filter { !$0.isEmpty } ?? []
        if let list = value.arrayValue, texts.count == list.count { return texts }
        add(key, "must be a list of texts")
        return nil
    }

    /// A time, written in whole milliseconds.
    mutating func milliseconds(_ key: String, _ range: ClosedRange<Int>) -> Duration? {
        integer(key, range).map { .milliseconds($0) }
    }

    /// Notes a problem with a member; an empty key means the object itself.
    mutating func add(_ key: String, _ problem: String) {
        let place = path.isEmpty ? key : key.isEmpty ? path : "\(path).\(key)"
        // A word behind `local_key:` would be taken for the key itself, and hidden, wherever the text is shown.
        let mark = key == DeviceSettings.localKeyName || key == CloudAccount.secretKey ? " -" : ":"
        problems.append(place.isEmpty ? "the configuration \(problem)" : "\(place)\(mark) \(problem)")
    }

    /// Takes over the problems of a part.
    mutating func add(_ part: ConfigReader) { problems += part.problems }

    /// Reads a part, or nil where it is missing.
    mutating func part(_ key: String) -> ConfigReader? {
        value(key).map { ConfigReader($0, at: path.isEmpty ? key : "\(path).\(key)") }
    }

    /// Reads the parts of a list.
    mutating func parts(_ key: String) -> [ConfigReader] {
        guard let value = value(key) else { return [] }
        guard let list = value.arrayValue else {
            add(key, "must be a list")
            return []
        }
        let place = path.isEmpty ? key : "\(path).\(key)"
        return list.enumerated().map { ConfigReader($1, at: "\(place)[\($0)]") }
    }

    /// Notes every member that nobody asked for; to be called last.
    mutating func refuseOtherKeys() {
        for key in members.keys where !known.contains(key) {
            let nearest = Self.nearest(to: key, in: known).map { "; did you mean \($0)?" } ?? ""
            add(String(key.prefix(64)), "is not a known key\(nearest)")
        }
    }

    /// All problems as one error, if there are any.
    func check() throws(CommandError) {
        guard !problems.isEmpty else { return }
        throw CommandError(.invalidConfig, problems.joined(separator: "; ") + ".")
    }

    /// The word that differs least, by at most two letters.
    private static func nearest(to key: String, in words: [String]) -> String? {
        let ranked = words.map { (distance: editDistance(Array(key.utf8), Array($0.utf8)), word: $0) }
        return ranked.filter { $0.distance <= 2 }.min { $0.distance < $1.distance }?.word
    }

    private static func editDistance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var row = Array(0...other.count)
        for (index, byte) in one.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in other.indices {
                let replaced = diagonal + (byte == other[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[other.count]
    }
}
