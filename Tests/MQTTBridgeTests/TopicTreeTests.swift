import MQTTBridge
import Testing

@Suite("Topics")
struct TopicTreeTests {
    private let tree = TopicTree(base: "site1/lintel")

    @Test(
        "a topic says what is asked for",
        arguments: [
            ("site1/lintel/device/lamp/set", IncomingTopic.set("lamp")),
            ("site1/lintel/device/lamp/get", .get("lamp")),
            ("site1/lintel/device/lamp/action/ptz_move", .action("lamp", name: "ptz_move")),
            ("site1/lintel/bridge/request/devices/list", .request("devices/list")),
            ("site1/lintel/bridge/request/info", .request("info")),
            ("site1/lintel/bridge/request/a/b/c/d", .request("a/b/c/d")),
            ("site1/lintel/device//set", .set("")),
        ]
    )
    func commands(topic: String, meaning: IncomingTopic) {
        #expect(tree.parse(topic) == meaning)
    }

    @Test(
        "other topics are none of ours",
        arguments: [
            "site1/lintel", "site1/lintel/", "site1/lintelx/device/a/set", "lintel/device/a/set",
            "site1/lintel/device/a",
            "site1/lintel/device/a/state", "site1/lintel/device/a/set/x", "site1/lintel/bridge/state",
            "site1/lintel/bridge/request", "site1/lintel/group/a/set", "",
        ]
    )
    func others(topic: String) {
        #expect(tree.parse(topic) == nil)
    }

    @Test("answers may not go where commands come from")
    func commandTopics() {
        for topic in [
            "device/a/set", "device/a/get", "device/a/action/x", "bridge/request/info", "scene/x/activate",
            "group/a/set",
        ] {
            #expect(tree.isCommand("site1/lintel/\(topic)"), "\(topic)")
        }
        for topic in ["site1/lintel/device/a/response", "other/set", "site1/lintel/bridge/response/info"] {
            #expect(!tree.isCommand(topic), "\(topic)")
        }
    }
}
