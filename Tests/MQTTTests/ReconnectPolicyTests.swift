import Testing

@testable import MQTT

@Suite("ReconnectPolicy")
struct ReconnectPolicyTests {
    @Test("delays double up to 60 s and are drawn from their upper half")
    func backoff() {
        for (random, share) in [(0.0, 0.5), (0.5, 0.75), (1.0.nextDown, 1.0)] {
            var policy = ReconnectPolicy(.automatic)
            for seconds in [1, 2, 4, 8, 16, 32, 60, 60, 60] {
                let retry = policy.retry(after: .unreachable, random: random)
                #expect(abs(retry.delay / .seconds(1) - Double(seconds) * share) < 0.002)
                #expect(!retry.isDuplicateInstance)
            }
        }
    }

    @Test("a connection that held starts the delays anew, one that did not goes on")
    func reset() {
        var policy = ReconnectPolicy(.automatic)
        for _ in 0..<4 { _ = policy.retry(after: .unreachable, random: 0) }
        #expect(policy.retry(after: .lost(code: nil, after: .seconds(4.9)), random: 0).delay == .seconds(8))
        #expect(policy.retry(after: .lost(code: nil, after: .seconds(5)), random: 0).delay == .milliseconds(500))
        #expect(policy.retry(after: .unreachable, random: 0).delay == .seconds(1))
    }

    @Test(
        "what a person must mend waits a minute at once",
        arguments: [(MQTTVersion.v5, [133, 134, 135, 138, 140]), (.v311, [2, 4, 5])] as [(MQTTVersion, [UInt8])]
    )
    func credentials(version: MQTTVersion, codes: [UInt8]) {
        for code in 0...UInt8.max {
            var policy = ReconnectPolicy(.only(version))
            let retry = policy.retry(after: .rejected(code: code), random: 0)
            #expect(retry.delay == (codes.contains(code) ? .seconds(60) : .milliseconds(500)), "code \(code)")
            #expect(policy.version == version)
        }
        var policy = ReconnectPolicy(.only(version))
        #expect(policy.retry(after: .misconfigured, random: 0).delay == .seconds(60))
    }

    @Test("a refused version falls back at once", arguments: [UInt8(132), 1])
    func fallBack(code: UInt8) {
        var policy = ReconnectPolicy(.automatic)
        #expect(policy.version == .v5)
        #expect(policy.retry(after: .rejected(code: code), random: 0).delay == .zero)
        #expect(policy.version == .v311)
        // The older version refused as well is a failure like others.
        #expect(policy.retry(after: .rejected(code: 1), random: 0).delay == .milliseconds(500))
        #expect(policy.version == .v311)
    }

    @Test("a broker that does not answer is tried in the other version, at once only the first time")
    func silent() {
        var policy = ReconnectPolicy(.automatic)
        #expect(policy.retry(after: .silent, random: 0).delay == .zero)
        #expect(policy.version == .v311)
        #expect(policy.retry(after: .silent, random: 0).delay == .milliseconds(500))
        #expect(policy.version == .v5)
    }

    @Test("after a lost connection the newest version is tried first again")
    func versionAfterLoss() {
        var policy = ReconnectPolicy(.automatic)
        _ = policy.retry(after: .rejected(code: 1), random: 0)
        _ = policy.retry(after: .lost(code: nil, after: .seconds(100)), random: 0)
        #expect(policy.version == .v5)
    }

    @Test("a chosen version never changes", arguments: [MQTTVersion.v5, .v311])
    func fixedVersion(version: MQTTVersion) {
        var policy = ReconnectPolicy(.only(version))
        let endings: [ReconnectPolicy.Ending] = [
            .silent, .rejected(code: 132), .rejected(code: 1), .unreachable, .untrusted,
            .lost(code: nil, after: .seconds(9)),
        ]
        for ending in endings {
            #expect(policy.retry(after: ending, random: 0.5).delay > .zero)
            #expect(policy.version == version)
        }
    }

    @Test("addresses alternate while the host cannot be reached")
    func family() {
        var policy = ReconnectPolicy(.automatic)
        #expect(policy.family == .any)
        _ = policy.retry(after: .unreachable, random: 0)
        #expect(policy.family == .ipv4)
        _ = policy.retry(after: .lost(code: nil, after: .seconds(1)), random: 0)
        #expect(policy.family == .ipv4)
        _ = policy.retry(after: .unreachable, random: 0)
        #expect(policy.family == .any)
    }

    @Test("a session taken over is a second instance, however long it lasted", arguments: [0, 4, 5, 1_000])
    func takenOver(seconds: Int) {
        var policy = ReconnectPolicy(.automatic)
        let retry = policy.retry(after: .lost(code: 142, after: .seconds(seconds)), random: 0)
        #expect(retry == ReconnectPolicy.Retry(delay: .seconds(60), isDuplicateInstance: true))
    }

    @Test("three early ends in a row are a second instance, and are counted anew after that")
    func earlyEnds() {
        var policy = ReconnectPolicy(.automatic)
        let early = ReconnectPolicy.Ending.lost(code: nil, after: .seconds(1))
        for _ in 0..<2 {
            #expect(!policy.retry(after: early, random: 0).isDuplicateInstance)
            #expect(!policy.retry(after: early, random: 0).isDuplicateInstance)
            #expect(
                policy.retry(after: early, random: 0)
                    == ReconnectPolicy.Retry(delay: .seconds(60), isDuplicateInstance: true)
            )
        }
    }

    @Test("a connection that held breaks the row of early ends")
    func earlyEndsBroken() {
        var policy = ReconnectPolicy(.automatic)
        for seconds in [1, 1, 60, 1, 1] {
            let retry = policy.retry(after: .lost(code: nil, after: .seconds(seconds)), random: 0)
            #expect(!retry.isDuplicateInstance)
        }
    }
}
