import JSON
import Testing
import TuyaProtocol

struct MessageVectorTests {
    @Test("a request has its command and its JSON, without blanks", arguments: VectorFile.vectors(of: "request"))
    func requests(_ vector: Vector) throws {
        let writer = RequestWriter(version: try vector.version, deviceID: try vector.text("devId"))
        let child = vector["cid"]?.stringValue
        let ids = vector["ids"]?.arrayValue?.compactMap(\.intValue) ?? []
        let request: Request =
            switch (try vector.text("op"), vector["dialect"]?.stringValue) {
            case ("query", "device22"): .queryListed(ids: ids)
            case ("query", _): .query(child: child)
            case ("control", _): .set(DataPoints(object: try vector.object("dps")), child: child)
            case ("refresh", _): .refresh(ids: ids, child: child)
            case ("heartbeat", _): .heartbeat
            case ("subdevices", _): .listChildren
            case (let other, _): try #require(nil as Request?, "operation \(other)")
            }
        let expected = try vector.nested("expect")
        #expect(writer.command(for: request) == (try expected.command))
        let body = writer.body(of: request, time: Int64(try vector.int("t")))
        #expect(try JSON.parse(body) == expected["json"])
        #expect(!body.contains(0x20))
    }

    @Test("a reply is what its command and body make it", arguments: VectorFile.vectors(of: "reply"))
    func replies(_ vector: Vector) throws {
        let reply = DeviceReply(command: try vector.command, plaintext: [UInt8](try vector.text("plaintext").utf8))
        let expected = try vector.nested("expect")
        #expect(reply.code == (try expected.text("outcome")))
        switch reply {
        case .status(let report):
            #expect(report.points == DataPoints(object: try expected.object("dps")))
            #expect(report.child == expected["cid"]?.stringValue)
            if let time = expected["t"]?.intValue { #expect(report.time == Int64(time)) }
        case .extended(let type, let data):
            #expect(type == expected["req_type"]?.stringValue)
            #expect(data == expected["data"])
        default: break
        }
    }
}
