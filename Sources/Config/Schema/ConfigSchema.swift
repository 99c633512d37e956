package import JSON

/// A plugin's `config.schema.json`: the part of JSON Schema 2020-12 that configurations need.
///
/// Understood: `type`, `properties`, `required`, `additionalProperties`, `items`, `minItems`, `maxItems`, `enum`, `const`,
/// `minimum`, `maximum`, `minLength`, `maxLength` (in characters), `pattern`, `anyOf`, `oneOf`, `$defs`, `$ref` to
/// `#` and `#/$defs/…`, and our own `"x-secret": true`. `$schema`, `$id`, `$comment`, `title`, `description`, `default`,
/// `examples`, `deprecated`, `format` and every other `x-…` are for readers. Anything else is refused, so that a schema
/// never promises what is not checked.
package struct ConfigSchema: Sendable, Equatable {
    let root: SchemaRule
    let definitions: [String: SchemaRule]

    /// Reads a schema.
    ///
    /// - Throws: everything in it that is wrong or not understood.
    package init(_ json: JSON) throws(SchemaFault) {
        var reader = SchemaReader()
        var definitions: [String: SchemaRule] = [:]
        for (name, rule) in json["$defs"]?.objectValue ?? JSONObject() {
            definitions[name] = reader.rule(rule, at: "#/$defs/\(name)")
        }
        let root = reader.rule(json, at: "#")
        reader.checkReferences(Set(definitions.keys))
        guard reader.problems.isEmpty else { throw SchemaFault(problems: reader.problems) }
        self.root = root
        self.definitions = definitions
    }

    /// Reads a schema from a file's bytes.
    package init(bytes: [UInt8]) throws(SchemaFault) {
        let json: JSON
        do {
            json = try JSON.parse(bytes, limits: JSONLimits(duplicateKeys: .reject))
        } catch {
            throw SchemaFault(problems: ["it is not JSON: \(error)"])
        }
        try self.init(json)
    }

    /// The rule that a reference stands for.
    func rule(for reference: SchemaRule.Reference) -> SchemaRule {
        switch reference {
        case .root: root
        // Existence was checked when the schema was read.
        case .definition(let name): definitions[name] ?? SchemaRule()
        }
    }
}

/// Why a schema cannot be used.
package struct SchemaFault: Error, Equatable, Sendable, CustomStringConvertible {
    /// Everything that is wrong, each with its place as a JSON pointer.
    package let problems: [String]

    /// All problems, one after the other.
    package var description: String { problems.joined(separator: "; ") }
}
