import HomeModel
import Hub
import JSON
import MQTTBridge
import Testing

@Suite("Payloads of commands")
struct CommandPayloadTests {
    private func payload(_ text: String, allowsText: Bool = false) throws -> CommandPayload {
        try CommandPayload(Array(text.utf8), allowsText: allowsText)
    }

    @Test(
        "a transaction is echoed byte for byte",
        arguments: [
            (#"{"transaction":"web-17","a":1}"#, #""web-17""#), (#"{"a":1,"transaction": 1.50 }"#, "1.50"),
            (#"{"transaction":1e3}"#, "1e3"), (#"{"transaction":"a\/\u0041"}"#, #""a\/\u0041""#),
            (#"{"x":{"transaction":5},"transaction":6}"#, "6"), (#"{"x":"\"transaction\":1","transaction":2}"#, "2"),
            (#"{"transaction":18446744073709551615}"#, "18446744073709551615"),
        ]
    )
    func transactions(text: String, spelling: String) throws {
        let parsed = try payload(text)
        #expect(parsed.transaction.map { String(decoding: $0, as: UTF8.self) } == spelling)
        #expect(try parsed.object()["transaction"] == nil)
    }

    @Test("a transaction that is no string or number, or too long, is refused")
    func wrongTransactions() {
        for text in [
            #"{"transaction":{}}"#, #"{"transaction":true}"#,
            "{\"transaction\":\"\(String(repeating: "x", count: 129))\"}",
        ] {
            let error = #expect(throws: CommandError.self) { try payload(text) }
            #expect(error?.code == .badRequest)
        }
    }

    @Test("broken JSON says where it breaks")
    func broken() {
        let error = #expect(throws: CommandError.self) { try payload(#"{"power":tru}"#) }
        #expect(error?.code == .badJSON)
        #expect(error?.details["offset"] == 12)
    }

    @Test(
        "what is too much is refused before anything is done",
        arguments: [
            (#"{"a":1,"a":2}"#, ErrorCode.badJSON),
            ("\(String(repeating: "[", count: 40))\(String(repeating: "]", count: 40))", .badJSON),
            ("{\"a\":\"\(String(repeating: "x", count: 66_000))\"}", .tooLarge), ("\u{FEFF}{}", .badJSON),
        ]
    )
    func limits(text: String, code: ErrorCode) {
        let error = #expect(throws: CommandError.self) { try payload(text) }
        #expect(error?.code == code)
    }

    @Test("a request may be plain text, a command may not")
    func text() throws {
        #expect(try payload("desk-lamp", allowsText: true).content == .text("desk-lamp"))
        #expect(throws: CommandError.self) { try payload("desk-lamp") }
        #expect(throws: CommandError.self) { try payload("{desk", allowsText: true) }
        #expect(try payload("  ").content == .empty)
        #expect(throws: CommandError.self) { try CommandPayload([0xFF, 0xFE], allowsText: true) }
    }
}
