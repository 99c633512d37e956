/// Finds where bytes stop being UTF-8 text.
enum UTF8Fault {
    /// The place of the first NUL or byte that does not belong to a character; nil where there is none.
    static func place(in bytes: [UInt8]) -> Place? {
        var place = Place(line: 1, column: 1)
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        while true {
            switch decoder.decode(&iterator) {
            case .emptyInput: return nil
            case .error: return place
            case .scalarValue(let scalar):
                if scalar.value == 0 { return place }
                place =
                    scalar == "\n"
                    ? Place(line: place.line + 1, column: 1) : Place(line: place.line, column: place.column + 1)
            }
        }
    }
}
