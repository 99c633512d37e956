/// The rule for topics that a person chooses (mqtt-conventions, section 9).
package enum BaseTopic {
    /// The longest, in bytes.
    package static let maxBytes = 200

    /// What is wrong with a base topic; nil where it can be used.
    package static func fault(_ topic: String) -> String? {
        if topic.isEmpty { return "must not be empty" }
        if topic.utf8.count > maxBytes { return "must have at most \(maxBytes) bytes" }
        if topic.contains("+") || topic.contains("#") { return "must not contain the wildcards + and #" }
        if topic.contains("$") { return "must not contain $" }
        if topic.hasPrefix("/") || topic.hasSuffix("/") { return "must not begin or end with /" }
        if topic.contains("//") { return "must not have an empty level (//)" }
        let isText = topic.unicodeScalars.allSatisfy { scalar in
            // MQTT 5, 1.5.4: control characters and non-characters may end the connection.
            scalar.properties.generalCategory != .control && !scalar.properties.isNoncharacterCodePoint
        }
        return isText ? nil : "must not contain control characters or non-characters"
    }
}
