import Config
import HomeModel
import JSON
import Testing

@Suite("Configuration: YAML")
struct YAMLTests {
    /// The JSON of a plugin's section.
    private func section(_ text: String) throws -> JSON? {
        try parse("plugins:\n  p:\n    v: \(text)").plugins[#require(PluginID("p"))]?.json["v"]
    }

    @Test(
        "a plain scalar means what YAML's core schema says, unless a number would lose what was written",
        arguments: [
            ("12", 12), ("-12", -12), ("+12", 12), ("0x1F", 31), ("0o17", 15), ("1.5", 1.5), (".5", 0.5), ("-.5", -0.5),
            ("2.", 2.0), ("1e3", 1000.0), ("1.e3", 1000.0), ("-1.5E-1", -0.15), ("0", 0), ("0.5", 0.5),
            ("18446744073709551615", .unsigned(.max)),
            ("true", true), ("False", false), ("null", nil), ("~", nil), ("", nil),
            ("yes", "yes"), ("on", "on"), ("\"12\"", "12"), ("'true'", "true"), ("!!str 12", "12"), ("! 12", "12"),
            ("007", "007"), ("0123456789", "0123456789"), ("-01", "-01"), ("00.5", "00.5"),
            ("123456789012345678901234", "123456789012345678901234"),
            ("-123456789012345678901234", "-123456789012345678901234"),
            ("0123456789abcdef", "0123456789abcdef"), ("1_000", "1_000"), ("1.2.3", "1.2.3"), ("12:30", "12:30"),
            (".", "."),
            ("e5", "e5"), ("1e", "1e"), (".inf", ".inf"), ("0x", "0x"), ("0x-1", "0x-1"), ("1e999", "1e999"),
            ("Lampe über Tür 💡", "Lampe über Tür 💡"), ("|\n      a\n      b\n", "a\nb\n"), ("a # comment", "a"),
        ] as [(String, JSON)]
    )
    func scalars(text: String, value: JSON) throws {
        #expect(try section(text) == (value == nil as JSON ? JSON.null : value))
    }

    @Test("anchors repeat a value")
    func anchors() throws {
        #expect(try section("[&a {x: 1}, *a, &b 5, *b]") == [["x": 1], ["x": 1], 5, 5])
    }

    @Test(
        "what YAML allows and we do not is told with its place",
        arguments: [
            ("a: 1\na: 2", "2:1: a: the key is there twice, first in line 1"),
            ("mqtt: &a {url: *a}", "1:16: *a stands inside of what it repeats"),
            ("mqtt: *nothing", "1:7: there is no &nothing before *nothing"),
            ("mqtt: {<<: 1}", "1:8: mqtt.<<: merge keys are not supported; write the keys out"),
            (
                "mqtt: {url: 'mqtt://h', password: !secret pass}",
                "1:35: mqtt.password: tags such as !secret are not supported; write {file: path} or {env: NAME} for a secret"
            ),
            ("mqtt: {url: !!binary aGk=}", "1:13: mqtt.url: tags such as !!binary are not supported"),
            ("mqtt: {? [a] : b}", "1:10: a key must be plain text"),
            ("mqtt: {}\n---\nmqtt: {}", "2:1: a second document begins here; one file is one document"),
            ("mqtt: [", "2:1: while parsing a flow node, did not find expected node content"),
        ]
    )
    func refused(text: String, problem: String) {
        let told = problems(text)
        #expect(told.contains { $0.hasSuffix("lintel.yaml:" + problem) }, "\(told)")
    }

    @Test("tabs are explained")
    func tabs() {
        let told = problems("mqtt:\n\turl: embedded")
        #expect(told.count == 1 && told[0].hasSuffix("indent with spaces, YAML takes no tabs"), "\(told)")
    }

    @Test("nesting, number of values, and size are bounded")
    func limits() {
        let deep = String(repeating: "[", count: 5000)
        #expect(problems("a: \(deep)").first?.hasSuffix("values are nested deeper than 32 levels") == true)
        // Nine levels of nine aliases each would be 387 million values.
        let lines = (1...9).map {
            "l\($0): &l\($0) [\(Array(repeating: "*l\($0 - 1)", count: 9).joined(separator: ", "))]"
        }
        let bomb = "l0: &l0 [1, 2, 3]\n" + lines.joined(separator: "\n")
        #expect(problems(bomb).first?.hasSuffix("there are more than 100000 values, repeated ones counted") == true)
        let long = String(repeating: "#", count: 1 << 20) + "\n"
        #expect(problems(long) == ["lintel.yaml: the file is larger than 1024 KiB"])
    }

    @Test("bytes that are not UTF-8 text are told with their place")
    func encoding() {
        for (bytes, place) in [([0x61, 0x3a, 0x20, 0xff], "1:4"), ([0x0a, 0xc3, 0xa4, 0x00], "2:2")]
            as [([UInt8], String)]
        {
            let error = #expect(throws: ConfigProblems.self) {
                try Configuration.parse(bytes, file: "lintel.yaml", sources: SecretSources(directory: "/"))
            }
            #expect(error?.description == "lintel.yaml:\(place): the file is not UTF-8 text")
        }
        // A byte order mark is no fault.
        #expect(problems("\u{feff}mqtt: {url: embedded}") == [])
    }

    @Test("no bytes crash the reader or take long", .timeLimit(.minutes(1)))
    func hostile() throws {
        var random = SystemRandomNumberGenerator()
        let markup = Array("{}[]:,&*!|>-? \n\t\"'#%@`".utf8)
        let sample = Array(try contents(of: repository + "/Config/lintel.yaml").utf8)
        for round in 0..<3000 {
            var bytes =
                round % 2 == 0 ? sample : Array("mqtt: {url: embedded, a: &x [1, *x], ? b : !t c}\n- |\n d".utf8)
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                switch round % 3 {
                case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: at)
                default: bytes.insert(markup.randomElement(using: &random) ?? 0, at: at)
                }
            }
            do {
                _ = try Configuration.parse(bytes, file: "f", sources: SecretSources(directory: "/") { _ in nil })
            } catch {
                #expect(!error.problems.isEmpty)
            }
        }
    }
}
