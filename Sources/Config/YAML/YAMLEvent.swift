/// A piece of a YAML document, copied out of libyaml.
struct YAMLEvent {
    enum Kind {
        case documentStart
        case documentEnd
        case streamEnd
        case alias
        case scalar(text: String, isPlain: Bool)
        case listStart
        case listEnd
        case mappingStart
        case mappingEnd
        /// Nothing of meaning, such as the start of the stream.
        case other
    }

    var kind: Kind
    var place: Place
    /// The name after `&`, or after `*` for an alias.
    var anchor: String?
    /// The tag as libyaml expands it.
    var tag: String?
}
