internal import CYAML

/// Owns a `yaml_parser_t` and the bytes that it reads.
@safe struct YAMLParser: ~Copyable {
    // libyaml keeps pointers to the parser and to the input, so neither may move.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeMutableBufferPointer<UInt8>

    /// - Parameter bytes: UTF-8.
    init(_ bytes: [UInt8]) {
        unsafe parser = .allocate(capacity: 1)
        unsafe input = .allocate(capacity: bytes.count)
        _ = unsafe input.initialize(from: bytes)
        // Fails only without memory, where Swift stops the process anyway.
        precondition(unsafe yaml_parser_initialize(parser) == 1, "no memory for a YAML parser")
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, input.baseAddress, input.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe input.deallocate()
    }

    /// The next event; after ``YAMLEvent/Kind/streamEnd`` there is none.
    func next() throws(YAMLFault) -> YAMLEvent {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw fault() }
        defer { unsafe yaml_event_delete(&event) }
        let place = unsafe Place(event.start_mark)
        switch unsafe event.type {
        case YAML_STREAM_END_EVENT: return YAMLEvent(kind: .streamEnd, place: place)
        case YAML_DOCUMENT_START_EVENT: return YAMLEvent(kind: .documentStart, place: place)
        case YAML_DOCUMENT_END_EVENT: return YAMLEvent(kind: .documentEnd, place: place)
        case YAML_SEQUENCE_END_EVENT: return YAMLEvent(kind: .listEnd, place: place)
        case YAML_MAPPING_END_EVENT: return YAMLEvent(kind: .mappingEnd, place: place)
        case YAML_ALIAS_EVENT:
            return YAMLEvent(kind: .alias, place: place, anchor: unsafe Self.text(event.data.alias.anchor))
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            let isPlain = unsafe scalar.style == YAML_PLAIN_SCALAR_STYLE
            return YAMLEvent(
                kind: .scalar(text: unsafe String(decoding: bytes, as: UTF8.self), isPlain: isPlain),
                place: place,
                anchor: unsafe Self.text(scalar.anchor),
                tag: unsafe Self.text(scalar.tag)
            )
        case YAML_SEQUENCE_START_EVENT:
            let list = unsafe event.data.sequence_start
            let (anchor, tag) = unsafe (Self.text(list.anchor), Self.text(list.tag))
            return YAMLEvent(kind: .listStart, place: place, anchor: anchor, tag: tag)
        case YAML_MAPPING_START_EVENT:
            let mapping = unsafe event.data.mapping_start
            let (anchor, tag) = unsafe (Self.text(mapping.anchor), Self.text(mapping.tag))
            return YAMLEvent(kind: .mappingStart, place: place, anchor: anchor, tag: tag)
        default: return YAMLEvent(kind: .other, place: place)
        }
    }

    private func fault() -> YAMLFault {
        let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "it cannot be read"
        let context = unsafe parser.pointee.context.map { unsafe String(cString: $0) + ", " } ?? ""
        return unsafe YAMLFault(place: Place(parser.pointee.problem_mark), message: context + problem)
    }

    private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        guard let pointer = unsafe pointer else { return nil }
        return unsafe String(cString: pointer)
    }
}

/// What libyaml says of a text that is no YAML.
struct YAMLFault: Error {
    let place: Place
    let message: String
}

extension Place {
    fileprivate init(_ mark: yaml_mark_t) {
        self.init(line: mark.line + 1, column: mark.column + 1)
    }
}
