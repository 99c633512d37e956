import JSON
import Testing
import TuyaProtocol

struct RequestWriterTests {
    private func text(_ request: Request, _ version: ProtocolVersion, device: String = "dev") -> String {
        String(
            decoding: RequestWriter(version: version, deviceID: device).body(of: request, time: 1_700_000_004),
            as: UTF8.self
        )
    }

    @Test("a set up to 3.3 has the time in quotes, for a child without")
    func oldSet() {
        let points: DataPoints = [20: true, 21: "white", 22: 500]
        #expect(
            text(.set(points), .v33)
                == #"{"devId":"dev","uid":"dev","t":"1700000004","dps":{"20":true,"21":"white","22":500}}"#
        )
        #expect(
            text(.set(points, child: "c1"), .v31)
                == #"{"t":1700000004,"cid":"c1","dps":{"20":true,"21":"white","22":500}}"#
        )
    }

    @Test("a set from 3.4 on is wrapped, and a child's id stands inside and outside")
    func newSet() {
        #expect(
            text(.set([1: false]), .v34) == #"{"protocol":5,"t":1700000004,"data":{"dps":{"1":false}}}"#
        )
        #expect(
            text(.set([1: false], child: "c1"), .v35)
                == #"{"protocol":5,"t":1700000004,"data":{"cid":"c1","ctype":0,"dps":{"1":false}},"cid":"c1"}"#
        )
    }

    @Test("queries, refreshes and heartbeats have the form of their version")
    func others() {
        #expect(text(.query(), .v33) == #"{"gwId":"dev","devId":"dev","uid":"dev","t":"1700000004"}"#)
        #expect(text(.query(), .v35) == "{}")
        #expect(text(.query(child: "c1"), .v34) == #"{"cid":"c1"}"#)
        #expect(
            text(.queryListed(ids: [1, 101]), .v33)
                == #"{"devId":"dev","uid":"dev","t":"1700000004","dps":{"1":null,"101":null}}"#
        )
        #expect(text(.refresh(ids: [18, 19, 20]), .v33) == #"{"dpId":[18,19,20]}"#)
        #expect(text(.refresh(ids: [4], child: "c1"), .v35) == #"{"dpId":[4],"cid":"c1"}"#)
        #expect(text(.heartbeat, .v34) == #"{"gwId":"dev","devId":"dev"}"#)
    }

    @Test("blanks and slashes inside strings are kept, quotes are escaped")
    func strings() {
        #expect(
            text(.set([109: "a b/c\"d"]), .v34)
                == #"{"protocol":5,"t":1700000004,"data":{"dps":{"109":"a b/c\"d"}}}"#
        )
        #expect(text(.heartbeat, .v33, device: "a\"b") == #"{"gwId":"a\"b","devId":"a\"b"}"#)
    }

    @Test("a device reads what the writer wrote", arguments: ProtocolVersion.supported)
    func readBack(version: ProtocolVersion) {
        let writer = RequestWriter(version: version, deviceID: "dev")
        func read(_ request: Request) -> DeviceRequest {
            DeviceRequest(command: writer.command(for: request), plaintext: writer.body(of: request, time: 1))
        }
        #expect(read(.heartbeat) == .heartbeat)
        #expect(read(.query()) == .query(child: nil))
        #expect(read(.query(child: "c")) == .query(child: "c"))
        #expect(read(.queryListed(ids: [1, 2])) == .queryListed(ids: [1, 2]))
        #expect(read(.set([1: true, 9: 0])) == .set([1: true, 9: 0], child: nil))
        #expect(read(.set([1: true], child: "c")) == .set([1: true], child: "c"))
        #expect(read(.refresh(ids: [4, 5])) == .refresh(ids: [4, 5], child: nil))
        #expect(read(.listChildren) == .extended(type: "subdev_online_stat_query", data: ["cids": []]))
    }
}
