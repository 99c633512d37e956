/// Numbers with a unit, such as `30s` and `64KiB`.
enum Quantity {
    private static let durations: [(unit: String, milliseconds: Double)] = [
        ("ms", 1), ("s", 1000), ("min", 60_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]
    private static let sizes: [(unit: String, bytes: Double)] = [
        ("B", 1), ("kB", 1e3), ("MB", 1e6), ("GB", 1e9), ("KiB", 1024), ("MiB", 1_048_576), ("GiB", 1_073_741_824),
    ]

    /// A duration: a number followed by `ms`, `s`, `m` or `min`, `h` or `d`.
    static func duration(_ text: String) -> Duration? {
        parse(text, durations.map { ($0.unit, $0.milliseconds) }).map { .milliseconds($0) }
    }

    /// A size in bytes: a number followed by `B`, `kB`, `MB`, `GB`, `KiB`, `MiB` or `GiB`.
    static func size(_ text: String) -> Int? { parse(text, sizes.map { ($0.unit, $0.bytes) }) }

    /// A duration as a person writes it: the largest unit that leaves a whole number.
    static func words(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        for (unit, factor) in [("h", 3_600_000), ("min", 60_000), ("s", 1000)] as [(String, Int64)]
        where milliseconds % factor == 0 && milliseconds != 0 {
            return "\(milliseconds / factor)\(unit)"
        }
        return "\(milliseconds)ms"
    }

    /// A size as a person writes it.
    static func words(size: Int) -> String {
        for (unit, factor) in [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
        where size % factor == 0 && size != 0 {
            return "\(size / factor)\(unit)"
        }
        return "\(size)B"
    }

    private static func parse(_ text: String, _ units: [(String, Double)]) -> Int? {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = text.dropFirst(number.count).drop { $0 == " " }
        guard let value = Double(number), let factor = units.first(where: { $0.0 == unit })?.1 else { return nil }
        return Int(exactly: (value * factor).rounded())
    }
}
