import Crypto
import EventLoop
import HomeModel
import Simulators
import Testing
import TuyaAdapter
import TuyaProtocol

@Suite("What the vendor's cloud refuses, and what is no cloud", .timeLimit(.minutes(2)))
@Loop
struct CloudRefusalTests {
    struct Case: Sendable {
        let code: Int
        let outcome: CloudOutcome
        let answer: ErrorCode
    }

    private func homes(_ rig: CloudRig, within deadline: Duration = CloudRig.deadline) async -> CloudError? {
        await rig.failure { (cloud) throws(CloudError) in _ = try await cloud.homes(within: deadline) }
    }

    @Test(
        "a refusal that time does not mend is told at once, with the vendor's number and what to do",
        arguments: [
            Case(code: 1004, outcome: .badSignature, answer: .authFailed),
            Case(code: 1005, outcome: .badCredentials, answer: .authFailed),
            Case(code: 1100, outcome: .badRequest, answer: .cloudError),
            Case(code: 1106, outcome: .permissionDenied, answer: .notAuthorized),
            Case(code: 1108, outcome: .badRequest, answer: .cloudError),
            Case(code: 1109, outcome: .badRequest, answer: .cloudError),
            Case(code: 2001, outcome: .deviceOffline, answer: .deviceOffline),
            Case(code: 2003, outcome: .unsupportedFunction, answer: .capabilityMissing),
            Case(code: 2008, outcome: .unsupportedFunction, answer: .capabilityMissing),
            Case(code: 2009, outcome: .unsupportedFunction, answer: .capabilityMissing),
            Case(code: 2010, outcome: .unknownDevice, answer: .deviceNotFound),
            Case(code: 2017, outcome: .noSchema, answer: .capabilityMissing),
            Case(code: 2406, outcome: .wrongDataCentreOrApp, answer: .notAuthorized),
            Case(code: 28_841_002, outcome: .subscriptionExpired, answer: .notAuthorized),
            Case(code: 28_841_105, outcome: .apiNotSubscribed, answer: .notAuthorized),
            Case(code: 4711, outcome: .error(code: 4711, message: "asked for"), answer: .cloudError),
        ]
    )
    func refusals(_ example: Case) async throws {
        for isText in [false, true] {
            let rig = try CloudRig()
            let act: CloudFault.Act =
                isText
                ? .textCode("\(example.code)", message: "asked for") : .code(example.code, message: "asked for")
            rig.server.house.faults = [CloudFault(act, path: "/v1.0/users", times: nil)]
            let error = try #require(await homes(rig))
            #expect(error.reason == .refused(example.outcome))
            #expect(error.code == "\(example.code)")
            #expect(error.commandError.code == example.answer)
            #expect(error.failure(step: "token").vendorCode == "\(example.code)")
            #expect(rig.count("/v1.0/users") == 1 && rig.pauses.isEmpty)
            rig.stop()
        }
    }

    @Test("a wrong client id, secret, user or home is refused by the cloud itself")
    func wrongAccount() async throws {
        let rig = try CloudRig()
        rig.reconnect { $0.clientID = "nobody" }
        #expect(await homes(rig)?.reason == .refused(.badCredentials))
        rig.reconnect {
            $0.clientID = SimulatedAccount().clientID
            $0.secret = SecretKey([UInt8]("wrong".utf8))
        }
        #expect(await homes(rig)?.reason == .refused(.badSignature))
        rig.reconnect {
            $0.secret = SecretKey([UInt8](SimulatedAccount().secret.utf8))
            $0.uid = "somebody"
        }
        #expect(await homes(rig)?.reason == .refused(.permissionDenied))
        rig.reconnect { $0.uid = SimulatedAccount().uid }
        let error = await rig.failure { (cloud) throws(CloudError) in
            _ = try await cloud.ticket(home: "4711", within: CloudRig.deadline)
        }
        #expect(error?.reason == .refused(.permissionDenied))
        #expect(rig.server.house.pairingTokens.isEmpty)
        rig.stop()
    }

    @Test("a user of another data centre is told as such, also where the cloud only shows nothing")
    func wrongDataCentre() async throws {
        let rig = try CloudRig()
        rig.server.house.accounts[0].isLinked = false
        #expect(await homes(rig)?.reason == .refused(.wrongDataCentreOrApp))
        let error = await rig.failure { (cloud) throws(CloudError) in
            _ = try await cloud.ticket(home: nil, within: CloudRig.deadline)
        }
        #expect(error?.reason == .refused(.wrongDataCentreOrApp))
        #expect(try await rig.cloud.devices(within: CloudRig.deadline).isEmpty)
        rig.server.house.accounts[0].isLinked = true
        rig.server.house.accounts[0].homes = []
        #expect(await homes(rig)?.reason == .refused(.wrongDataCentreOrApp))
        rig.stop()
    }

    @Test("a page for people, a redirect, nonsense and far too much are no cloud")
    func notTheCloud() async throws {
        let acts: [CloudFault.Act] = [
            .page(status: 200), .page(status: 404), .page(status: 511), .redirect(to: "http://127.0.0.1:1/"),
            .shapeless, .huge(bytes: 8 << 20),
        ]
        for act in acts {
            let rig = try CloudRig()
            rig.server.house.faults = [CloudFault(act, times: nil)]
            let error = try #require(await homes(rig), "\(act)")
            #expect(error.reason == .notTheCloud, "\(act)")
            #expect(!error.isRetryable)
            rig.stop()
        }
    }

    @Test("a cloud that is gone, breaks off or is out of order may be asked again later")
    func gone() async throws {
        let rig = try CloudRig()
        for act in [CloudFault.Act.close, .page(status: 502), .page(status: 503)] {
            rig.server.house.faults = [CloudFault(act, times: nil)]
            #expect(await homes(rig)?.reason == .unreachable, "\(act)")
        }
        rig.server.house.faults = []
        _ = try await rig.cloud.homes(within: CloudRig.deadline)
        rig.server.stop()
        let error = try #require(await homes(rig))
        #expect(error.reason == .unreachable && error.isRetryable)
        #expect(error.failure().code == .cloudUnreachable)
        rig.stop()
    }

    @Test("a silent cloud ends by the caller's deadline")
    func silent() async throws {
        let rig = try CloudRig()
        rig.server.house.faults = [CloudFault(.silence, times: nil)]
        #expect(await homes(rig, within: .milliseconds(200))?.reason == .timedOut)
        #expect(await homes(rig, within: .zero)?.reason == .timedOut)
        rig.stop()
    }

    @Test("a yes without what was asked for is an error")
    func incomplete() async throws {
        let rig = try CloudRig()
        _ = try await rig.cloud.homes(within: CloudRig.deadline)
        rig.server.house.faults = [CloudFault(.emptyResult, times: nil)]
        #expect(await homes(rig)?.reason == .incomplete)
        let error = await rig.failure { (cloud) throws(CloudError) in
            _ = try await cloud.ticket(home: nil, within: CloudRig.deadline)
        }
        #expect(error?.reason == .incomplete)
        rig.stop()
    }

    @Test("no error repeats a secret, even where the cloud does")
    func secrets() async throws {
        let rig = try CloudRig()
        let secret = SimulatedAccount().secret
        _ = try await rig.cloud.homes(within: CloudRig.deadline)
        let token = try #require(rig.server.house.accessTokens.last?.token)
        for text in ["bad \(secret) here", "bad \(token)", "line\r\nline \u{1b}[31m"] {
            rig.server.house.faults = [CloudFault(.code(1106, message: text), path: "/v1.0/users")]
            let error = try #require(await homes(rig))
            let all = "\(error) \(error.commandError) \(error.failure())"
            #expect(!all.contains(secret) && !all.contains(token) && !error.message.contains("\u{1b}"))
        }
        var dumped = ""
        dump(rig.cloud.account, to: &dumped)
        #expect(!dumped.contains(secret) && !"\(rig.cloud.account)".contains(secret))
        rig.stop()
    }
}
