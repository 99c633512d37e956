import HomeModel
import JSON
import Testing
import TuyaAdapter
import TuyaProtocol

@Suite("Tables of the pairing")
struct PairingTablesTests {
    @Test("every number has words, a next step and a code of its own kind")
    func explanations() {
        for code in PairingErrorCode.allCases {
            let failure = code.failure()
            #expect(failure.vendorCode == "\(code.rawValue)")
            #expect(failure.message.count > 20 && failure.hint?.isEmpty == false)
            #expect(failure.retryFrom.flatMap { PairingStep(rawValue: $0) } != nil)
        }
        let numbers: Set = [201, 206, 207, 209, 210, 211, 212, 213, 214, 215, 216, 218, 219, 220, 222]
        #expect(Set(PairingErrorCode.allCases.map { $0.rawValue - 207_000 }) == numbers)
    }

    @Test("the guide's table is the one in the code")
    func guide() throws {
        let folder = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let guide = String(decoding: try readFile(folder + "/PAIRING.md"), as: UTF8.self)
        #expect(guide.contains(PairingErrorCode.guideTable), "expected:\n\(PairingErrorCode.guideTable)")
    }

    @Test("hotspots are told from other networks by their names")
    func names() {
        let names = HotspotNames(others: ["MyBrand_"])
        func match(_ ssid: String, secured: Bool = false) -> HotspotNames.Match {
            names.match(WiFiSighting(ssid: ssid, isSecured: secured))
        }
        for name in ["SmartLife-3F2A", "SL-CreeLighting-00FF", "A-B172", "GRID-8928", "SmartHome-B73D", "MyBrand_1234"]
        {
            #expect(match(name) == .surely, "\(name)")
        }
        #expect(match("Vacuum-12AB") == .perhaps)
        for name in ["MOTO3C7A-5G", "HomeNet", "SmartLife-", "SmartLife-zzzz", "-12AB", ""] {
            #expect(match(name) == .no, "\(name)")
        }
        #expect(match("SmartLife-3F2A", secured: true) == .no)
    }

    @Test("versions of the device's system are read and compared")
    func system() {
        #expect(TuyaOSVersion("3.6.1") == .needed && TuyaOSVersion("v3.10") ?? .needed > .needed)
        #expect(TuyaOSVersion("3.6.0") ?? .needed < .needed)
        for text in ["", "3", "3.x.1", "a.b", "3.-1", "3.5000"] { #expect(TuyaOSVersion(text) == nil) }
        #expect(TuyaOSVersion(in: ["version": "3.5"]) == nil, "that is the LAN protocol's")
    }

    @Test("errors of the cloud become errors of the pairing")
    func cloud() {
        let outcomes: [(CloudOutcome, PairingCode)] = [
            (.badSignature, "auth_failed"), (.clockSkew, "clock_skew"), (.permissionDenied, "permission_denied"),
            (.retryLater, "rate_limited"), (.apiNotSubscribed, "subscription_missing"),
            (.error(code: 7, message: ""), "cloud_error"),
        ]
        for (outcome, code) in outcomes {
            let failure = PairingFailure(CloudError(.refused(outcome), "No."), step: .token)
            #expect(failure.code == code && failure.hint?.isEmpty == false && failure.retryFrom == "token")
        }
        #expect(PairingFailure(CloudError(.unreachable, "No."), step: .token).code == .cloudUnreachable)
        #expect(PairingFailure(CloudError(.notConfigured, "No."), step: .token).code == "account_missing")
    }
}
