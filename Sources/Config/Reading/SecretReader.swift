internal import JSON

/// Reads a secret: text in place, `{file: path}` or `{env: NAME}`.
enum SecretReader {
    /// Whether a node says where a secret is instead of being one.
    static func isReference(_ node: ConfigNode) -> Bool {
        guard case .mapping(let members) = node.content else { return false }
        return members.contains { $0.key == "file" || $0.key == "env" }
    }

    /// The secret; nil where it cannot be had, which is told to `problem`.
    ///
    /// No message holds what was written in place.
    static func read(
        _ node: ConfigNode,
        _ sources: SecretSources,
        problem: (String, Place?) -> Void
    ) -> String? {
        switch node.content {
        case .scalar(let scalar):
            switch scalar.value {
            case .null: problem("has no value", node.place)
            case .bool: problem("must be text; put it in quotes", node.place)
            default: return scalar.text
            }
        case .mapping(let members):
            if members.count == 1, let member = members.first, case .scalar(let scalar) = member.value.content,
                !member.value.isNull, let found = follow(member.key, scalar.text, sources)
            {
                switch found {
                case .success(let secret): return secret
                case .failure(let fault): problem(fault.message, member.value.place)
                }
            } else {
                problem("must be text, {file: path} or {env: NAME}", node.place)
            }
        case .list:
            problem("must be text, {file: path} or {env: NAME}", node.place)
        }
        return nil
    }

    private static func follow(_ kind: String, _ name: String, _ sources: SecretSources) -> Result<String, SecretFault>?
    {
        switch kind {
        case "file": sources.file(name)
        case "env": sources.variable(name)
        default: nil
        }
    }
}
