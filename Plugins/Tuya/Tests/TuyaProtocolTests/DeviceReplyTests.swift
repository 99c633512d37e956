import JSON
import Testing
import TuyaProtocol

struct DeviceReplyTests {
    private func reply(_ command: Command, _ text: String) -> DeviceReply {
        DeviceReply(command: command, plaintext: [UInt8](text.utf8))
    }

    @Test("a body that holds nothing means what its command makes of it")
    func withoutBody() {
        for text in ["", "\0", "\0\0"] {
            #expect(reply(.control, text) == .acknowledged)
            #expect(reply(.controlNew, text) == .acknowledged)
            #expect(reply(.query, text) == .emptyStatus)
            #expect(reply(.queryNew, text) == .emptyStatus)
            #expect(reply(.refresh, text) == .ignored)
            #expect(reply(.heartbeat, text) == .pong)
        }
        #expect(reply(.control, "null") == .emptyStatus)
        #expect(reply(.control, "{}") == .acknowledged)
        #expect(reply(.query, "{}") == .emptyStatus)
        #expect(reply(.report, #"{"dps":{"1":null}}"#) == .emptyStatus)
        #expect(reply(.report, #"{"dps":null}"#) == .emptyStatus)
        #expect(reply(.heartbeat, "parse data error") == .pong)
    }

    @Test("error texts may end in NUL bytes, but must be whole")
    func errorTexts() {
        #expect(reply(.query, "devid not found\0") == .unknownDeviceID)
        #expect(reply(.query, "json obj data unvalid\0\0") == .queryNotSupported)
        #expect(reply(.query, "data format error!") == .unparsable)
        #expect(reply(.query, "data format erro") == .unparsable)
    }

    @Test(
        "what is neither JSON nor a text is unparsable",
        arguments: ["[1]", "17", "\"x\"", "{\"dps\":[1]}", "{\"a\":"]
    )
    func unparsable(text: String) {
        #expect(reply(.report, text) == .unparsable)
    }

    @Test("time and child are taken from the top first, the time also from a string")
    func placeOfFields() {
        #expect(
            reply(.report, #"{"t":"1700000001","cid":"a","data":{"t":2,"cid":"b","dps":{"1":1}}}"#)
                == .status(StatusReport(points: [1: 1], child: "a", time: 1_700_000_001))
        )
        #expect(
            reply(.report, #"{"dps":{"1":true},"data":{"dps":{"1":false}},"t":"soon"}"#)
                == .status(StatusReport(points: [1: true]))
        )
    }

    @Test("keys that are no plain numbers are passed over")
    func keys() {
        #expect(
            reply(.report, #"{"dps":{"01":1,"+2":2,"x":3,"4":4,"-5":5,"1234567":6,"":7}}"#)
                == .status(StatusReport(points: [4: 4]))
        )
    }

    @Test("invalid UTF-8 inside a string is replaced, and the rest is read")
    func invalidText() {
        var body = [UInt8](#"{"dps":{"1":"a"#.utf8)
        body += [0xFF, 0xC3]
        body += [UInt8](#"b","2":7}}"#.utf8)
        guard case .status(let report) = DeviceReply(command: .report, plaintext: body) else {
            Issue.record("not a status")
            return
        }
        #expect(report.points[2] == 7)
        #expect(report.points[1]?.stringValue?.hasPrefix("a\u{FFFD}") == true)
    }
}
