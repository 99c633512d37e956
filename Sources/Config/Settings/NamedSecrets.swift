internal import HomeModel

/// The section `secrets`: texts that requests name instead of holding them, by name.
enum NamedSecrets {
    /// The longest name, in bytes.
    static let maxName = 64

    /// Reads the section's members, each text, `{file: path}` or `{env: NAME}`.
    static func read(_ section: SectionReader) -> Secrets {
        var values: [String: String] = [:]
        for member in section.allMembers() {
            let path = section.path.appending(member.key)
            guard isName(member.key) else {
                section.problems.add("a secret's name has a-z, A-Z, 0-9, -, _ and . only", at: path, member.keyPlace)
                continue
            }
            if !SecretReader.isReference(member.value) { section.problems.warnOfSecret(at: path, member.value.place) }
            values[member.key] = SecretReader.read(member.value, section.sources) {
                section.problems.add($0, at: path, $1)
            }
        }
        return Secrets(values)
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= maxName
            && text.unicodeScalars.allSatisfy {
                $0.isASCII
                    && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_.".unicodeScalars.contains($0))
            }
    }
}
