import Crypto
import HomeModel
import JSON
import Testing
import TuyaAdapter
import TuyaProtocol

@Suite("Accounts of the vendor's cloud")
struct CloudAccountTests {
    private let plain: JSONObject = ["region": "eu", "client_id": "c1", "secret": "hush-hush", "uid": "u1"]

    private func problems(_ change: JSONObject, without missing: [String] = []) -> String {
        var object = plain
        for key in missing { object[key] = nil }
        for (key, value) in change { object[key] = value }
        do throws(CommandError) {
            _ = try TuyaConfig(json: ["cloud": .object(object)])
            return ""
        } catch { return error.message }
    }

    @Test("one account stands as an object, several as a list with names")
    func forms() throws {
        let one = try TuyaConfig(json: ["cloud": .object(plain)]).accounts
        #expect(one.map(\.name) == ["default"] && one[0].address.url == "https://openapi.tuyaeu.com")
        var second = plain
        second["name"] = "cabin"
        second["homes"] = ["hut": 17, "house": "18"]
        let two = try TuyaConfig(json: ["cloud": [.object(plain), .object(second)]]).accounts
        #expect(two.map(\.name) == ["default", "cabin"])
        #expect(two[1].homes == ["hut": "17", "house": "18"])
        #expect(try TuyaConfig(json: [:]).accounts.isEmpty)
        #expect(throws: CommandError.self) { try TuyaConfig(json: ["cloud": [.object(plain), .object(plain)]]) }
    }

    @Test("every region has a host of its own")
    func regions() {
        #expect(Set(CloudRegion.allCases.map(\.host)).count == 7)
        #expect(CloudAddress(.singapore).url == "https://openapi-sg.iotbing.com")
    }

    @Test("what is wrong is told with its place and without the secret")
    func wrong() {
        #expect(problems([:]).isEmpty)
        #expect(problems([:], without: ["region"]).contains("cloud.region: is missing"))
        #expect(problems(["region": "mars"]).contains("cloud.region: must be one of"))
        #expect(problems(["url": "https://x"]).contains("stands beside region"))
        #expect(problems([:], without: ["secret"]).contains("cloud.secret - is missing"))
        #expect(problems([:], without: ["client_id", "uid"]).contains("cloud.uid: is missing"))
        #expect(problems(["uid": "a/b"]).contains("cloud.uid: must have"))
        #expect(problems(["secrets": 1]).contains("did you mean secret?"))
        #expect(problems(["security_config": ["pub": 1]]).contains("needs pub"))
        #expect(problems(["homes": ["a": true]]).contains("cloud.homes.a"))
        #expect(problems(["signature": "new"]).contains("current, old"))
        #expect(!problems(["uid": "a/b", "region": "mars"]).contains("hush"))
    }

    @Test(
        "an address is an origin, with TLS unless it is this machine",
        arguments: [
            ("https://cloud.example", true), ("https://cloud.example:8443/", true), ("http://127.0.0.1:8080", true),
            ("http://[::1]:80", true), ("http://localhost", true), ("http://127.8.9.10", true),
            ("http://cloud.example", false), ("http://127.0.0.1.evil.example", false), ("http://localhost.evil", false),
            ("http://127.evil", false), ("https://cloud.example/v1", false), ("https://u:p@cloud.example", false),
            ("https://", false), ("cloud.example", false), ("ftp://cloud.example", false), ("https://a b", false),
            ("https://a?b", false), ("https://a\r\nb", false),
        ]
    )
    func addresses(text: String, isFine: Bool) {
        #expect(((try? CloudAddress(text)) != nil) == isFine)
        let wanted = text.hasSuffix("/") ? String(text.dropLast()) : text
        if isFine { #expect((try? CloudAddress(text))?.url == wanted) }
    }

    @Test("plaintext to another machine is taken only on demand")
    func insecure() throws {
        #expect(problems(["url": "http://cloud.example"], without: ["region"]).contains("cloud.url: must begin with"))
        #expect(problems(["url": "http://cloud.example", "insecure": true], without: ["region"]).isEmpty)
    }

    @Test("an account is kept as a secret and read back")
    func stored() throws {
        var account = CloudAccount(
            name: "cabin",
            address: CloudAddress(.india),
            clientID: "c",
            secret: SecretKey([UInt8]("hush-hush".utf8)),
            uid: "u"
        )
        account.homes = ["hut": "1"]
        account.algorithm = .old
        account.timeZone = "Asia/Kolkata"
        account.securityConfiguration = ["pub": 1, "url0": "h"]
        let secrets = Secrets([
            account.secretName: account.exposedText, "other": "x", "account:bad": "{\"secret\":\"hush-hush\"}",
        ])
        let (accounts, problems) = CloudAccount.all(configured: [], secrets: secrets)
        #expect(accounts == [account])
        #expect(problems.count == 1 && !"\(problems)".contains("hush"))
        var configured = account
        configured.uid = "configured"
        #expect(CloudAccount.all(configured: [configured], secrets: secrets).accounts == [configured])
    }
}
