import HomeModel
import JSON
import PluginWire
import Testing

@Suite("GatewayCall")
struct GatewayCallTests {
    private static let lamp = VendorID("bf01")

    /// Writes a call, reads it back and writes it again.
    private func rewritten(_ call: GatewayCall) throws -> (first: String, second: String) {
        let line = call.line(id: .number(5))
        guard case .request(.number(5), let method, let params) = try WireMessage(line: line.dropLast()) else {
            return ("", "not a request")
        }
        let again = try GatewayCall(method: method, params: params).line(id: .number(5))
        return (String(decoding: line, as: UTF8.self), String(decoding: again, as: UTF8.self))
    }

    @Test("every call reads back as it was written")
    func roundTrip() throws {
        let id = try #require(DeviceID("desk-lamp"))
        let session = try #require(PairingID("p-7c1e"))
        let device = WireDevice(
            id: id,
            vendorID: Self.lamp,
            options: ["expert": true],
            secrets: Secrets(["local_key": "k", "a": "b"]),
            lastDescription: DeviceDescription(vendorID: Self.lamp, name: "Desk lamp", kind: .light)
        )
        let calls: [GatewayCall] = [
            .initializeDevices(DevicesCall(devices: [device])),
            .initialize(
                InitializeCall(
                    gateway: "1.0",
                    config: ["devices": []],
                    devices: [device],
                    secrets: Secrets(["token": "t"]),
                    stateDirectory: "/data/plugins/x",
                    features: ["f"]
                )
            ),
            .pairingStart(PairingStartCall(session: session, method: "ap")),
            .pairingStart(
                PairingStartCall(
                    session: session,
                    method: "ap",
                    home: HomeID("cottage"),
                    from: "register",
                    input: HiddenObject(["ssid": "home", "nested": ["a": [1]]])
                )
            ),
            .pairingAnswer(PairingAnswerCall(session: session, input: HiddenObject(["code": "ABCDEF"]))),
            .pairingCancel(session),
            .start, .stop, .diagnostics, .ping, .shutdown,
            .read(ReadCall(device: Self.lamp, deadline: .seconds(2))),
            .read(ReadCall(device: Self.lamp, properties: ["power"], deadline: .seconds(2))),
            .write(
                WriteCall(device: Self.lamp, values: ["power": true, "x": [1, 2.5]], deadline: .milliseconds(1500))
            ),
            .invoke(InvokeCall(device: Self.lamp, action: "blink", input: ["n": 3], deadline: .seconds(1))),
            .remove(RemoveCall(device: Self.lamp, unpair: true)),
            .configure(ConfigureCall(config: ["a": 1])),
            .configure(ConfigureCall(device: Self.lamp, options: ["expert": false])),
        ]
        for call in calls {
            let (first, second) = try rewritten(call)
            #expect(first == second)
        }
    }

    @Test("the hot call has the documented form")
    func form() {
        let line = WriteCall(device: Self.lamp, values: ["power": true], deadline: .seconds(5)).line(id: .number(9))
        #expect(
            String(decoding: line, as: UTF8.self)
                == #"{"jsonrpc":"2.0","id":9,"method":"device/write","params":"#
                + #"{"device":"bf01","values":{"power":true},"deadlineMs":5000}}"# + "\n"
        )
        #expect(
            String(decoding: WriteAnswer(stage: .acknowledged).line(id: .number(9)), as: UTF8.self)
                == #"{"jsonrpc":"2.0","id":9,"result":{"stage":"acknowledged"}}"# + "\n"
        )
    }

    @Test(
        "wrong parameters are refused with the key",
        arguments: [
            ("device/write", #"{"values":{},"deadlineMs":1}"#, #"device/write: "device" must be text."#),
            (
                "device/write", #"{"device":"","values":{},"deadlineMs":1}"#,
                #"device/write: "device" must have 1 to 256 bytes."#
            ),
            (
                "device/write", #"{"device":"a","values":[],"deadlineMs":1}"#,
                #"device/write: "values" must be an object."#
            ),
            ("device/write", #"{"device":"a","values":{}}"#, #"device/write: "deadlineMs" must be an integer."#),
            (
                "device/read", #"{"device":"a","properties":[1],"deadlineMs":1}"#,
                #"device/read: "properties" must be a list of texts."#
            ),
            ("device/remove", #"{"device":"a","unpair":1}"#, #"device/remove: "unpair" must be true or false."#),
            ("pairing/start", #"{"method":"ap"}"#, #"pairing/start: "session" must be text."#),
            ("pairing/start", #"{"session":"P 1","method":"ap"}"#, #"pairing/start: "session" must be a session id."#),
            ("pairing/start", #"{"session":"p-1"}"#, #"pairing/start: "method" must be text."#),
            (
                "pairing/start", #"{"session":"p-1","method":"ap","home":"My home"}"#,
                #"pairing/start: "home" must be the id of a home."#
            ),
            (
                "pairing/start", #"{"session":"p-1","method":"ap","input":[]}"#,
                #"pairing/start: "input" must be an object."#
            ),
            (
                "pairing/answer", #"{"session":"p-1","input":"x"}"#, #"pairing/answer: "input" must be an object."#
            ),
            ("pairing/cancel", "{}", #"pairing/cancel: "session" must be text."#),
            (
                "initialize", #"{"protocols":[1],"gateway":"1","stateDir":"/","secrets":{"a":1}}"#,
                #"initialize: "secrets" must hold texts only."#
            ),
            ("initialize", #"{"protocols":[]}"#, #"initialize: "protocols" must be a list of versions."#),
            (
                "initialize/devices", #"{"devices":[{"id":"A","vendorId":"a"}]}"#,
                #"initialize/devices: "id" must be a device id."#
            ),
        ]
    )
    func refused(method: String, params: String, message: String) throws {
        let members = try #require(try JSON.parse(params).objectValue)
        #expect(throws: WireFailure(code: WireFailure.invalidParams, message: message)) {
            try GatewayCall(method: method, params: members)
        }
    }

    @Test("deadlines are kept within an hour", arguments: [(-1, 0), (5, 5), (Int(Int64.max), 3_600_000)])
    func deadlines(sent: Int, kept: Int) throws {
        let call = try ReadCall(params: ["device": "a", "deadlineMs": JSON(sent)])
        #expect(call.params["deadlineMs"] == JSON(kept))
        #expect(ReadCall(device: Self.lamp, deadline: .seconds(Int64.max)).params["deadlineMs"] == 3_600_000)
    }

    @Test(
        "an unknown method, and one of the other side's, is not found",
        arguments: ["device/explode", "device/state", ""]
    )
    func unknown(method: String) {
        #expect(throws: WireFailure.unknown(method)) { try GatewayCall(method: method, params: JSONObject()) }
    }

    @Test("many devices are told in parts that each fit into a line")
    func parts() throws {
        let devices = try (0..<100).map { number in
            WireDevice(id: try #require(DeviceID("d\(number)")), vendorID: VendorID("v\(number)"))
        }
        let (earlier, last) = DevicesCall.parts(of: devices, budget: 500)
        let all = earlier.flatMap(\.devices) + last
        #expect(all.map(\.id) == devices.map(\.id))
        #expect(earlier.count > 3)
        #expect(earlier.allSatisfy { GatewayCall.initializeDevices($0).line(id: .number(1)).count < 700 })
        #expect(DevicesCall.parts(of: devices).earlier.isEmpty)
    }

    @Test("secrets do not show when a call is printed")
    func canary() throws {
        let id = try #require(DeviceID("d"))
        let device = WireDevice(id: id, vendorID: VendorID("v"), secrets: Secrets(["key": "canary-1"]))
        let call = PluginCall.storeSecret(device: nil, name: "n", value: HiddenText("canary-2"))
        #expect(!"\(device) \(call) \(String(reflecting: call))".contains("canary"))
        let session = try #require(PairingID("p-1"))
        let input = HiddenObject(["password": "canary-3"])
        let calls: [GatewayCall] = [
            .pairingStart(PairingStartCall(session: session, method: "ap", input: input)),
            .pairingAnswer(PairingAnswerCall(session: session, input: input)),
            .initialize(
                InitializeCall(gateway: "1", config: [:], secrets: Secrets(["a": "canary-4"]), stateDirectory: "/")
            ),
        ]
        let join = PluginCall.joinWiFi(session, ssid: "home", passphrase: HiddenText("canary-5"))
        var dumped = ""
        dump(calls, to: &dumped)
        dump(join, to: &dumped)
        #expect(!"\(calls) \(String(reflecting: calls)) \(join) \(dumped)".contains("canary"))
    }
}
