/// Makes a tree of nodes from YAML.
///
/// Anchors and aliases are allowed, bounded by the number of values that they stand for. Duplicate keys, tags other than
/// those of text, list and mapping, and more than one document are refused.
struct NodeBuilder: ~Copyable {
    private let parser: YAMLParser
    private let problems: ProblemList
    private let limits: YAMLLimits
    private var anchors: [String: (node: ConfigNode, count: Int)] = [:]
    /// Anchors whose node is not complete yet.
    private var openAnchors: Set<String> = []
    private var count = 0

    /// Reads one document; syntax faults end it, other problems are gathered.
    ///
    /// - Returns: nil for a file without a value, or with a fault of syntax.
    static func build(_ bytes: [UInt8], problems: ProblemList, limits: YAMLLimits = YAMLLimits()) -> ConfigNode? {
        guard bytes.count <= limits.bytes else {
            problems.add("the file is larger than \(limits.bytes >> 10) KiB", at: ConfigPath(), nil)
            return nil
        }
        guard let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) else {
            problems.add("the file is not UTF-8 text", at: ConfigPath(), UTF8Fault.place(in: bytes))
            return nil
        }
        do {
            var builder = NodeBuilder(parser: YAMLParser(bytes), problems: problems, limits: limits)
            return try builder.document()
        } catch {
            problems.add(Self.words(error, in: text), at: ConfigPath(), error.place)
            return nil
        }
    }

    private init(parser: consuming YAMLParser, problems: ProblemList, limits: YAMLLimits) {
        self.parser = parser
        self.problems = problems
        self.limits = limits
    }

    private mutating func document() throws(YAMLFault) -> ConfigNode? {
        var root: ConfigNode?
        while true {
            let event = try parser.next()
            switch event.kind {
            case .streamEnd: return root
            case .documentStart where root != nil:
                throw YAMLFault(place: event.place, message: "a second document begins here; one file is one document")
            case .documentStart, .documentEnd, .other: continue
            default: root = try node(event, at: ConfigPath(), depth: 0)
            }
        }
    }

    private mutating func node(_ event: YAMLEvent, at path: ConfigPath, depth: Int) throws(YAMLFault) -> ConfigNode {
        count += 1
        guard depth <= limits.depth else {
            throw YAMLFault(place: event.place, message: "values are nested deeper than \(limits.depth) levels")
        }
        if case .alias = event.kind { return try aliased(event) }
        guard count <= limits.nodes else { throw tooMany(event.place) }
        let before = count
        if let anchor = event.anchor { openAnchors.insert(anchor) }
        let node: ConfigNode
        switch event.kind {
        case .listStart: node = try list(event, at: path, depth: depth)
        case .mappingStart: node = try mapping(event, at: path, depth: depth)
        case .scalar(let text, let isPlain):
            // `!` and `!!str` say that it is text.
            let scalar = ConfigNode.Scalar(text: text, isPlain: isPlain && event.tag == nil)
            node = ConfigNode(.scalar(scalar), at: event.place)
        default: throw YAMLFault(place: event.place, message: "a value is expected here")
        }
        checkTag(event, at: path)
        if let anchor = event.anchor {
            openAnchors.remove(anchor)
            anchors[anchor] = (node, count - before + 1)
        }
        return node
    }

    private mutating func aliased(_ event: YAMLEvent) throws(YAMLFault) -> ConfigNode {
        let name = event.anchor ?? ""
        if openAnchors.contains(name) {
            throw YAMLFault(place: event.place, message: "*\(name) stands inside of what it repeats")
        }
        guard let (node, size) = anchors[name] else {
            throw YAMLFault(place: event.place, message: "there is no &\(name) before *\(name)")
        }
        count += size
        guard count <= limits.nodes else { throw tooMany(event.place) }
        return node
    }

    private mutating func list(_ start: YAMLEvent, at path: ConfigPath, depth: Int) throws(YAMLFault) -> ConfigNode {
        var items: [ConfigNode] = []
        while true {
            let event = try parser.next()
            if case .listEnd = event.kind { return ConfigNode(.list(items), at: start.place) }
            items.append(try node(event, at: path.appending(items.count), depth: depth + 1))
        }
    }

    private mutating func mapping(_ start: YAMLEvent, at path: ConfigPath, depth: Int) throws(YAMLFault) -> ConfigNode {
        var members: [ConfigNode.Member] = []
        var places: [String: Place] = [:]
        while true {
            let event = try parser.next()
            if case .mappingEnd = event.kind { return ConfigNode(.mapping(members), at: start.place) }
            guard case .scalar(let key, let isPlain) = event.kind else {
                throw YAMLFault(place: event.place, message: "a key must be plain text")
            }
            let keyPath = path.appending(key)
            checkTag(event, at: keyPath)
            let value = try node(try parser.next(), at: keyPath, depth: depth + 1)
            if key == "<<", isPlain {
                problems.add("merge keys are not supported; write the keys out", at: keyPath, event.place)
            } else if let first = places[key] {
                problems.add("the key is there twice, first in line \(first.line)", at: keyPath, event.place)
            } else {
                places[key] = event.place
                members.append(.init(key: key, keyPlace: event.place, value: value))
            }
        }
    }

    private func checkTag(_ event: YAMLEvent, at path: ConfigPath) {
        guard let tag = event.tag, tag != "!" else { return }
        let core = "tag:yaml.org,2002:"
        switch event.kind {
        case .scalar where tag == core + "str", .listStart where tag == core + "seq",
            .mappingStart where tag == core + "map":
            return
        default: break
        }
        let shown = tag.hasPrefix(core) ? "!!" + tag.dropFirst(core.count) : tag
        let hint = tag == "!secret" ? "; write {file: path} or {env: NAME} for a secret" : ""
        problems.add("tags such as \(shown) are not supported\(hint)", at: path, event.place)
    }

    private func tooMany(_ place: Place) -> YAMLFault {
        YAMLFault(place: place, message: "there are more than \(limits.nodes) values, repeated ones counted")
    }

    private static func words(_ fault: YAMLFault, in text: String) -> String {
        let lines = text.split(separator: "\n", maxSplits: fault.place.line, omittingEmptySubsequences: false)
        let line = lines.indices.contains(fault.place.line - 1) ? lines[fault.place.line - 1] : ""
        let indentation = line.prefix { $0 == " " || $0 == "\t" }
        return indentation.contains("\t") ? "\(fault.message); indent with spaces, YAML takes no tabs" : fault.message
    }
}
