/// The rule for names that people give: any text up to 64 characters without control characters, trimmed.
public enum DeviceName {
    /// The longest name, in characters.
    public static let maxCharacters = 64

    /// A name by the rule, or nil where nothing is left or it is too long or has control characters.
    public static func cleaned(_ text: String) -> String? {
        let trimmed = text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
        let name = String(trimmed)
        let isPlain = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        return !name.isEmpty && name.count <= maxCharacters && isPlain ? name : nil
    }
}
