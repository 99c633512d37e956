/// The keys of a command that are no properties.
public enum CommandOption {
    /// The caller's own mark, echoed in the answer.
    public static let transaction = "transaction"
    /// `true`: take the nearest number allowed instead of refusing one out of range.
    public static let clamp = "clamp"
    /// `true`: allow properties that only experts should change.
    public static let expert = "expert"
    /// Seconds of fading; ignored, and named so in the answer, by devices that have no such property.
    public static let transition = "transition"

    /// All of them; no property may have such a name but `transition`.
    public static let names: Set<String> = [transaction, clamp, expert]
}
