package import JSON

/// A plugin's own keys after they were checked; prints without its secrets.
package struct CheckedSection: Sendable, CustomStringConvertible, CustomReflectable {
    /// What the plugin gets, secrets included; never log it.
    package let json: JSON
    /// The same with `<redacted>` in place of every secret.
    package let redacted: JSON
    /// The values of all secrets, to be kept out of logs.
    package let secretValues: Set<String>
    /// What the author should know.
    package let warnings: [ConfigProblem]

    /// ``redacted`` as text.
    package var description: String { redacted.text }
    /// A mirror without children, so that `dump` shows no secret.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
