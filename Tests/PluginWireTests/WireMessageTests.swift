import JSON
import PluginWire
import Testing

@Suite("WireMessage")
struct WireMessageTests {
    @Test(
        "what is written reads back as the same message",
        arguments: [
            WireMessage.request(id: .number(7), method: "ping", params: JSONObject()),
            .request(id: .text("a\"b"), method: "device/write", params: ["device": "x", "values": ["power": true]]),
            .notification(method: "$/cancel", params: ["id": 3]),
            .response(id: .number(-1), result: .null),
            .response(id: .number(.max), result: ["stage": "sent"]),
            .failure(id: .number(2), WireFailure(code: 1006, message: "late\n", data: ["retryable": true])),
            .failure(id: nil, WireFailure(code: -32_700, message: "what?")),
        ]
    )
    func roundTrip(message: WireMessage) throws {
        let line = message.line
        #expect(line.last == 0x0a)
        #expect(line.dropLast().allSatisfy { $0 >= 0x20 })
        #expect(try WireMessage(line: line.dropLast()) == message)
    }

    @Test("a message has the form of JSON-RPC 2.0")
    func form() {
        let request = WireMessage.request(id: .number(7), method: "ping", params: JSONObject()).line
        #expect(String(decoding: request, as: UTF8.self) == #"{"jsonrpc":"2.0","id":7,"method":"ping"}"# + "\n")
    }

    @Test("members that JSON-RPC does not name are ignored, and params may be absent or null")
    func tolerant() throws {
        let text = #" {"id": "q", "trace": [1], "params": null, "method": "store/get", "jsonrpc": "2.0"} "#
        #expect(
            try WireMessage(line: Array(text.utf8)[...])
                == .request(id: .text("q"), method: "store/get", params: JSONObject())
        )
    }

    @Test(
        "what is not a message is refused with the reason",
        arguments: [
            (#"[]"#, "it is no object"),
            (#"{"jsonrpc":"2.0"}"#, "it has no \"method\", \"result\" or \"error\""),
            (#"{"id":1,"method":"ping"}"#, "\"jsonrpc\" must be \"2.0\""),
            (#"{"jsonrpc":2.0,"id":1,"method":"ping"}"#, "\"jsonrpc\" must be \"2.0\""),
            (#"{"jsonrpc":"2.0","id":1,"method":4}"#, "\"method\" must be text"),
            (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, "\"id\" must be an integer or text"),
            (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, "\"id\" must be an integer or text"),
            (#"{"jsonrpc":"2.0","method":"ping","params":[1]}"#, "\"params\" must be an object"),
            (#"{"jsonrpc":"2.0","result":1}"#, "an answer needs an \"id\""),
            (#"{"jsonrpc":"2.0","id":1,"error":"no"}"#, "\"error\" needs a \"code\""),
            (#"{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1}}"#, "it has both \"result\" and \"error\""),
        ]
    )
    func refused(text: String, problem: String) {
        #expect(throws: WireFault.notRPC(problem)) { try WireMessage(line: Array(text.utf8)[...]) }
    }

    @Test("a line that is not JSON is refused with the place")
    func notJSON() {
        #expect(throws: WireFault.notJSON(JSONError(.unexpectedByte(0x78), at: 1))) {
            try WireMessage(line: Array("{x}".utf8)[...])
        }
    }
}
