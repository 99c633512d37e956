import HomeModel

extension Timestamp {
    /// Reads what `description` writes: `2026-11-30T10:15:02Z`, also with a fraction of a second; nil for anything else.
    init?(iso8601 text: String) {
        let parts = text.split(whereSeparator: { "-T:Z.".contains($0) }).map(String.init)
        guard text.hasSuffix("Z"), parts.count == 6 || parts.count == 7 else { return nil }
        let numbers = parts.prefix(6).compactMap { Int64($0) }
        guard numbers.count == 6, (1...12).contains(numbers[1]), (1...31).contains(numbers[2]) else { return nil }
        // Days by the 400-year cycle of 146,097 days with years from March.
        let year = numbers[1] <= 2 ? numbers[0] - 1 : numbers[0]
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (numbers[1] + (numbers[1] > 2 ? -3 : 9)) + 2) / 5 + numbers[2] - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        let fraction = parts.count == 7 ? Int64((parts[6] + "000").prefix(3)) ?? 0 : 0
        let seconds = ((days * 24 + numbers[3]) * 60 + numbers[4]) * 60 + numbers[5]
        self.init(milliseconds: seconds * 1000 + fraction)
    }
}
