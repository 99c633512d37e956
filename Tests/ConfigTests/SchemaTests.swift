import Config
import HomeModel
import JSON
import Testing

@Suite("Configuration: a plugin's schema")
struct SchemaTests {
    /// Such a schema as a plugin for lamps has.
    private static let lamps: JSON = [
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "additionalProperties": false,
        "properties": [
            "devices": ["type": "array", "maxItems": 3, "items": ["$ref": "#/$defs/device"]],
            "poll_s": ["type": "integer", "minimum": 1, "maximum": 3600],
            "account": [
                "type": "object", "additionalProperties": false, "required": ["user", "password"],
                "properties": ["user": ["type": "string"], "password": ["type": "string", "x-secret": true]],
            ],
        ],
        "$defs": [
            "device": [
                "type": "object", "required": ["id", "local_key"], "additionalProperties": false,
                "properties": [
                    "id": ["type": "string", "minLength": 1, "maxLength": 32],
                    "local_key": [
                        "type": "string", "minLength": 16, "maxLength": 16, "x-secret": true,
                        "description": "The device's key. It is found in the vendor's cloud.",
                    ],
                    "address": ["type": "string", "pattern": "^[0-9.]+$"],
                    "version": ["enum": ["3.1", "3.3", "3.4"]],
                    "name": ["type": "string"],
                    "retry": ["oneOf": [["type": "boolean"], ["type": "integer", "minimum": 0]]],
                ],
            ]
        ],
    ]

    private func plugin(_ text: String, environment: [String: String] = [:], isOpen: Bool = false) throws
        -> PluginSettings
    {
        let indented = text.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }
        let configuration = try parse(
            "plugins:\n  tuya:\n" + indented.joined(separator: "\n"),
            environment: environment,
            isReadableByOthers: isOpen
        )
        return try #require(PluginID("tuya").flatMap { configuration.plugins[$0] })
    }

    private func told(_ text: String, _ schema: JSON = lamps) throws -> [String] {
        let settings = try plugin(text)
        do {
            _ = try settings.checked(against: ConfigSchema(schema))
            return []
        } catch let error as ConfigProblems {
            return error.problems.map { $0.description.replacing("lintel.yaml:", with: "") }
        }
    }

    private func json(_ text: String, _ schema: JSON) throws -> JSON {
        try plugin(text).checked(against: ConfigSchema(schema)).json
    }

    @Test("a section that fits becomes the plugin's JSON")
    func fitting() throws {
        let text =
            "devices:\n  - id: bf01\n    local_key: 0123456789abcdef\n    version: 3.3\n    address: 127.0.0.2\npoll_s: 30"
        #expect(
            try json(text, Self.lamps) == [
                "devices": [["id": "bf01", "local_key": "0123456789abcdef", "version": "3.3", "address": "127.0.0.2"]],
                "poll_s": 30,
            ]
        )
    }

    @Test(
        "an unquoted key stays as it was written",
        arguments: [
            "0123456789abcdef", "1234567812345678", "0000000000000001", "12345678901234e5", "0x12345678abcdef",
            "1.23456789012345",
            "+123456789012345", "00000000000000.5", "0o12345670123456", "99999999999999999999",
        ]
    )
    func unquoted(_ key: String) throws {
        let schema: JSON = ["properties": ["key": ["type": "string"]]]
        #expect(try json("key: \(key)", schema) == ["key": .string(key)])
    }

    @Test("all problems are told with line and key path")
    func problems() throws {
        let text = """
            devices:
              - id: a
                local_kye: "0123456789abcdef"
              - id: [x]
                local_key: short
                address: lamp.local
                version: 3.5
                retry: -1
              - just text
              - id: d
                local_key: true
                name:
            poll_s: 0.5
            pol_s: 5
            """
        let problems = try told(text)
        #expect(
            problems == [
                "4:7: plugins.tuya.devices: must have at most 3 items, not 4",
                "4:9: plugins.tuya.devices[0]: lacks the key local_key (The device's key)",
                "5:9: plugins.tuya.devices[0].local_kye: unknown key; did you mean local_key?",
                "6:13: plugins.tuya.devices[1].id: must be text, not a list",
                "7:20: plugins.tuya.devices[1].local_key: must have 16 characters, not 5",
                "8:18: plugins.tuya.devices[1].address: does not have the form ^[0-9.]+$",
                "9:18: plugins.tuya.devices[1].version: must be one of 3.1, 3.3, 3.4",
                "10:16: plugins.tuya.devices[1].retry: must be at least 0",
                "11:9: plugins.tuya.devices[2]: must be a group of keys, not text",
                "13:20: plugins.tuya.devices[3].local_key: must be text, not true or false; put it in quotes",
                "14:14: plugins.tuya.devices[3].name: must be text, not nothing",
                "15:13: plugins.tuya.poll_s: must be a whole number, not a fractional number",
                "16:5: plugins.tuya.pol_s: unknown key; did you mean poll_s?",
            ]
        )
    }

    @Test("secrets are found, followed, and hidden from everything that prints")
    func secrets() throws {
        let text = """
            devices:
              - {id: a, local_key: canary-aaaaaaaaa}
              - {id: b, local_key: {env: KEY_B}}
            account: {user: me, password: {env: PASSWORD}}
            """
        let environment = ["KEY_B": "canary-bbbbbbbbb", "PASSWORD": "canary-p"]
        let checked = try plugin(text, environment: environment, isOpen: true).checked(
            against: ConfigSchema(Self.lamps)
        )
        #expect(checked.json["devices"]?[1]?["local_key"] == "canary-bbbbbbbbb")
        #expect(checked.json["account"]?["password"] == "canary-p")
        #expect(checked.secretValues == ["canary-aaaaaaaaa", "canary-bbbbbbbbb", "canary-p"])
        #expect(
            checked.redacted == [
                "devices": [["id": "a", "local_key": "<redacted>"], ["id": "b", "local_key": "<redacted>"]],
                "account": ["user": "me", "password": "<redacted>"],
            ]
        )
        var dumped = ""
        dump(checked, to: &dumped)
        #expect(!dumped.contains("canary") && !"\(checked)".contains("canary"))
        #expect(checked.warnings.map(\.path.description) == ["plugins.tuya.devices[0].local_key"])
    }

    @Test("a wrong secret is told without what it is")
    func wrongSecrets() throws {
        let text =
            "devices:\n  - {id: a, local_key: canary}\n  - {id: b, local_key: {env: NO_SUCH}}\n  - {id: c, local_key: [canary]}"
        #expect(
            try told(text) == [
                "4:28: plugins.tuya.devices[0].local_key: must have 16 characters, not 6",
                "5:34: plugins.tuya.devices[1].local_key: the environment has no variable NO_SUCH",
                "6:28: plugins.tuya.devices[2].local_key: must be text, not a list",
            ]
        )
    }

    @Test("a reference is a plain group of keys where no secret is wanted")
    func noSecret() throws {
        let schema: JSON = ["properties": ["log": ["type": "object", "properties": ["file": ["type": "string"]]]]]
        #expect(try json("log: {file: /tmp/x}", schema) == ["log": ["file": "/tmp/x"]])
        #expect(
            try told("log: {env: X}", ["properties": ["log": ["type": "string"]]]) == [
                "3:10: plugins.tuya.log: must be text, not a group of keys"
            ]
        )
    }

    @Test(
        "keywords hold",
        arguments: [
            (["type": "integer"], "5", 5), (["type": "integer"], "5.0", 5), (["type": "integer"], "007", 7),
            (["type": "integer"], "'5'", nil),
            (["type": "number"], "5", 5), (["type": "number"], "1.5", 1.5), (["type": "number"], "x", nil),
            (["type": "boolean"], "true", true), (["type": "boolean"], "yes", nil), (["type": "string"], "true", nil),
            (["type": "string"], "'true'", "true"), (["type": "null"], "", .null),
            (["type": ["string", "null"]], "", .null),
            (["type": ["string", "integer"]], "12", 12), (["type": ["string", "integer"]], "012", "012"),
            (["type": "array"], "", []), (["type": "object"], "", [:]), (["type": "array"], "{}", nil),
            (["type": "object"], "[]", nil),
            (["const": 3], "3", 3), (["const": 3], "3.0", 3), (["const": 3], "4", nil), (["enum": ["a", 1]], "1", 1),
            (["enum": ["a", 1]], "b", nil),
            (["enum": ["1", "2"]], "2", "2"), (["minimum": 2], "1", nil), (["minimum": 2], "2", 2),
            (["maximum": 2.5], "2.6", nil),
            (["minLength": 2], "'ä'", nil), (["maxLength": 2], "äö", "äö"), (["maxLength": 2], "äöü", nil),
            (["pattern": "b+"], "abbc", "abbc"), (["pattern": "^b+$"], "abbc", nil), (["minItems": 1], "[]", nil),
            (["maxItems": 1], "[1]", [1]),
            (["items": ["type": "string"]], "[a, 1]", ["a", "1"]),
            (["additionalProperties": ["type": "integer"]], "{a: 1}", ["a": 1]),
            (["additionalProperties": ["type": "integer"]], "{a: x}", nil),
            (["properties": ["a": true]], "{a: 1, b: 2}", ["a": 1, "b": 2]),
            (["anyOf": [["type": "integer"], ["type": "string"]]], "x", "x"),
            (["anyOf": [["type": "integer"], ["type": "string"]]], "[]", nil),
            (["anyOf": [["type": "string"], ["type": "integer"]]], "01", "01"),
            (["oneOf": [["type": "integer"], ["minimum": 3]]], "5", nil),
            (["oneOf": [["type": "integer"], ["minimum": 3]]], "2", 2),
            (["type": "object", "oneOf": [["required": ["a"]], ["required": ["b"]]]], "{a: 1}", ["a": 1]),
            (["type": "object", "oneOf": [["required": ["a"]], ["required": ["b"]]]], "{a: 1, b: 2}", nil),
            (["type": "object", "oneOf": [["required": ["a"]], ["required": ["b"]]]], "{c: 1}", nil),
        ] as [(JSON, String, JSON?)]
    )
    func keywords(rule: JSON, text: String, value: JSON?) throws {
        let schema: JSON = ["properties": ["v": rule], "required": ["v"]]
        if let value {
            #expect(try json("v: \(text)", schema) == ["v": value])
        } else {
            #expect(try told("v: \(text)", schema).count == 1)
        }
    }

    @Test("a form that nearly fits is the one that is told")
    func nearest() throws {
        let schema: JSON = [
            "properties": [
                "source": [
                    "oneOf": [
                        ["type": "string"],
                        [
                            "type": "object", "additionalProperties": false, "required": ["host"],
                            "properties": ["host": ["type": "string"], "port": ["type": "integer"]],
                        ],
                    ]
                ]
            ]
        ]
        #expect(
            try told("source: {host: h, prot: 1}", schema) == [
                "3:23: plugins.tuya.source.prot: unknown key; did you mean port?"
            ]
        )
        #expect(
            try told("source: [1]", schema) == [
                "3:13: plugins.tuya.source: must be text or a group of keys, not a list"
            ]
        )
    }

    @Test("schemas may refer to themselves; one without an end is told, not followed for ever")
    func recursion() throws {
        let tree: JSON = [
            "$ref": "#/$defs/node",
            "$defs": [
                "node": [
                    "type": "object", "additionalProperties": false, "properties": ["child": ["$ref": "#/$defs/node"]],
                ]
            ],
        ]
        #expect(try told("child: {child: {child: {}}}", tree) == [])
        #expect(
            try told("child: {child: {chidl: {}}}", tree) == [
                "3:21: plugins.tuya.child.child.chidl: unknown key; did you mean child?"
            ]
        )
        #expect(try told("a: 1", ["$ref": "#"]).first?.hasSuffix("the schema has no end here") == true)
    }

    @Test(
        "a schema that promises what is not checked is refused",
        arguments: [
            (["patternProperties": [:]], "#/patternProperties is not understood"),
            (["allOf": []], "#/allOf is not understood"),
            (["propertees": [:]], "#/propertees is not understood"),
            (["type": "text"], "#/type must be one or more of null, boolean, integer, number, string, array, object"),
            (["$ref": "https://example.org/s"], "#/$ref must be # or #/$defs/ and a name"),
            (["$ref": "#/$defs/no"], "#/$ref refers to #/$defs/no, which is not there"),
            (["$ref": "#", "minimum": 1], "#/minimum stands beside $ref; put it into the definition"),
            (["pattern": "["], "#/pattern must be a regular expression"),
            (["minimum": "1"], "#/minimum must be a number"),
            (["minLength": -1], "#/minLength must be a whole number from 0"),
            (["enum": []], "#/enum must be a list with a value"),
            (["oneOf": [:]], "#/oneOf must be a list of schemas"), (["items": 5], "#/items must be an object or true"),
            (["properties": ["a": ["x-secret": "yes"]]], "#/properties/a/x-secret must be true or false"),
            ([], "# must be an object or true"),
        ] as [(JSON, String)]
    )
    func faults(schema: JSON, problem: String) {
        let error = #expect(throws: SchemaFault.self) { try ConfigSchema(schema) }
        #expect(error?.problems == [problem])
    }

    @Test("a schema's bytes are read strictly")
    func bytes() throws {
        #expect(throws: SchemaFault.self) { try ConfigSchema(bytes: Array("{".utf8)) }
        #expect(throws: SchemaFault.self) { try ConfigSchema(bytes: Array(#"{"type":"object","type":"array"}"#.utf8)) }
        _ = try ConfigSchema(bytes: Array(#"{"type":"object"}"#.utf8))
    }

    @Test("what the plugin itself finds wrong gets the line of the nearest key that is there")
    func pluginsOwnProblems() throws {
        let settings = try plugin("devices:\n  - id: a\n    local_key: b")
        #expect(
            settings.problem(at: "devices[0].local_key", message: "no").description
                == "lintel.yaml:5:20: plugins.tuya.devices[0].local_key: no"
        )
        #expect(settings.problem(at: "/devices/0/local_key", message: "no").place?.line == 5)
        #expect(settings.problem(at: "devices[0].missing", message: "no").place == Place(line: 4, column: 9))
        #expect(settings.problem(at: "", message: "no").description == "lintel.yaml:3:5: plugins.tuya: no")
    }
}
