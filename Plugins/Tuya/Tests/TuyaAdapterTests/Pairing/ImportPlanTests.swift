import HomeModel
import JSON
import Testing
import TuyaAdapter
import TuyaProtocol

@Suite("Lists of devices")
struct ImportPlanTests {
    static let list: JSON = [
        [
            "id": "bf01", "key": "0123456789abcdef", "name": "Lamp", "ip": "192.168.1.20", "version": "3.3",
            "category": "dj",
            "product_id": "keyabc", "mapping": ["20": ["code": "switch_led", "type": "Boolean", "values": "{}"]],
        ],
        ["id": "bf02", "key": "p'&amp;T=5-4u#Xq!a0Z", "name": "Escaped"],
        ["id": "bf03", "name": "Keyless", "key": ""],
        ["key": "0123456789abcdef", "name": "Nobody"],
        ["id": "child", "name": "Sensor", "sub": true, "parent": "hub", "node_id": "a4c138ff", "key": "x"],
        ["id": "orphan", "sub": true, "parent": "elsewhere", "node_id": "1"],
        ["id": "lost", "sub": true],
        ["id": "hub", "key": "fedcba9876543210", "name": "Hub", "ip": "", "version": ""],
        ["id": "bf01", "key": "0123456789abcdef"],
        ["id": "known", "key": "0123456789abcdef", "name": "Other name"],
        ["id": "same", "key": "0123456789abcdef"],
        ["id": "written", "key": "0123456789abcdef"],
    ]

    private func plan(_ json: JSON) throws -> ImportPlan {
        let old = try LocalKey("aaaaaaaaaaaaaaaa")
        let new = try LocalKey("0123456789abcdef")
        return ImportPlan(
            try #require(ImportEntry.list(json)),
            known: [
                "known": .init(key: old, options: ["name": "Kept"]), "same": .init(key: new),
                "written": .init(key: old, isConfigured: true),
            ]
        )
    }

    @Test("every row is added, changed or skipped for a reason")
    func rows() throws {
        for json in [Self.list, ["devices": Self.list]] {
            let plan = try plan(json)
            let actions = plan.rows.map { row -> String in
                switch row.action {
                case .add: "add"
                case .change(let members): members.joined(separator: ",")
                case .skip(let reason): "skip: " + reason.prefix(18)
                }
            }
            #expect(
                actions == [
                    "add", "skip: a local key has 16", "skip: it has no local ke", "skip: it has no id", "add",
                    "skip: its hub is neither", "skip: it is a sub-device", "add", "skip: it stands in the l", "key",
                    "skip: nothing is new", "skip: it stands in the c",
                ]
            )
            #expect(plan.counts == (added: 3, changed: 1, skipped: 8))
            #expect(plan.devices.map(\.id) == ["bf01", "hub", "known", "child"], "hubs before what they carry")
            #expect(plan.rows[1].action == .skip(ImportEntry.Problem.badKey(.length(20, looksEscaped: true)).words))
        }
    }

    @Test("what is shown holds no keys")
    func noKeys() throws {
        let plan = try plan(Self.list)
        for text in [plan.table.text, plan.words, "\(plan)"] {
            #expect(!text.contains("0123456789abcdef") && !text.contains("fedcba98"))
        }
        #expect(plan.table[0] == ["id": "bf01", "name": "Lamp", "action": "add"])
    }

    @Test("address and version are hints, the rest is what the configuration would say")
    func members() throws {
        let device = try #require(try plan(Self.list).rows.first?.device)
        #expect(device.hint == "192.168.1.20" && device.likelyVersion == .v33)
        #expect(device.options["address"] == nil && device.options["version"] == nil)
        #expect(
            device.options["name"] == "Lamp" && device.options["schema"] != nil && device.options["category"] == "dj"
        )
    }

    @Test("what is no list is said to be none")
    func noList() {
        #expect(ImportEntry.list(["a": 1]) == nil && ImportEntry.list("x") == nil)
        #expect(ImportEntry.list([])?.isEmpty == true && ImportEntry.list([1])?.count == 1)
    }
}
