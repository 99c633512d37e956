/// Finds what somebody may have meant.
package enum NearestName {
    /// The name nearest to `text`, where it is near enough to be a slip: one change in three characters, and
    /// none in names of up to three.
    package static func of(_ text: String, among names: [String]) -> String? {
        let folded = fold(text)
        let allowed = folded.count > 3 ? folded.count / 3 : 0
        return names.map { (name: $0, distance: distance(folded, fold($0))) }
            .filter { $0.distance <= allowed }
            .min { ($0.distance, $0.name) < ($1.distance, $1.name) }?
            .name
    }

    /// `Base-Topic` and `baseTopic` are `base_topic`.
    private static func fold(_ text: String) -> [Character] {
        text.flatMap { character -> [Character] in
            if character == "-" || character == " " { return ["_"] }
            return character.isUppercase && character.isASCII ? Array("_" + character.lowercased()) : [character]
        }
    }

    /// The number of insertions, removals, replacements and exchanges of neighbours between two texts (optimal string
    /// alignment).
    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        if abs(one.count - other.count) > 32 { return Int.max }
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for row in 0..<one.count {
            var current = [row + 1]
            for column in 0..<other.count {
                var best = min(last[column + 1] + 1, current[column] + 1)
                best = min(best, last[column] + (one[row] == other[column] ? 0 : 1))
                if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            beforeLast = last
            last = current
        }
        return last[other.count]
    }
}
