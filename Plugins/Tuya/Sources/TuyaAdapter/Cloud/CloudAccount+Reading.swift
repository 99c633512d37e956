import Crypto
package import HomeModel
import JSON
import TuyaProtocol

extension CloudAccount {
    /// The forms that a configuration takes: one account, or a list of them with names.
    ///
    /// - Parameter reader: of what stands around the key `cloud`; problems are noted there.
    static func accounts(_ reader: inout ConfigReader) -> [CloudAccount] {
        guard let value = reader.value("cloud") else { return [] }
        if value.arrayValue == nil {
            guard var part = reader.part("cloud") else { return [] }
            let account = CloudAccount(&part)
            reader.add(part)
            return account.map { [$0] } ?? []
        }
        var accounts: [CloudAccount] = []
        for var part in reader.parts("cloud") {
            if let account = CloudAccount(&part) {
                if accounts.contains(where: { $0.name == account.name }) {
                    part.add("name", "is the name of another account in this list, too")
                }
                accounts.append(account)
            }
            reader.add(part)
        }
        return accounts
    }

    /// Reads an account; nil where it cannot be used, and then why is noted.
    init?(_ reader: inout ConfigReader) {
        let name = Self.word("name", limit: 63, &reader) ?? Self.defaultName
        let isInsecure = reader.flag("insecure") ?? false
        let address = Self.address(&reader, isInsecure: isInsecure)
        let clientID = Self.needed("client_id", "the project's id in the vendor's console", &reader)
        let uid = Self.needed("uid", "the user's id, shown where the app account is linked to the project", &reader)
        let secret = reader.text(Self.secretKey)
        if reader.value(Self.secretKey) == nil {
            reader.add(Self.secretKey, "is missing: the project's secret in the vendor's console")
        }
        var homes: [String: String] = [:]
        for (home, id) in reader.value("homes")?.objectValue ?? JSONObject() {
            guard let text = id.stringValue ?? id.intValue.map(String.init), Self.isWord(text, limit: 64) else {
                reader.add("homes.\(home.prefix(64))", "must be the id of a home in the cloud")
                continue
            }
            homes[home] = text
        }
        if reader.value("homes")?.objectValue == nil, reader.value("homes") != nil {
            reader.add("homes", "must be an object")
        }
        let zone = reader.text("time_zone")
        let configuration = Self.securityConfiguration(&reader)
        let caFile = reader.text("ca_file")
        let signature: SignatureName? = reader.word("signature")
        reader.refuseOtherKeys()
        guard reader.problems.isEmpty, let address, let clientID, let uid, let secret else { return nil }
        self.init(
            name: name,
            address: address,
            clientID: clientID,
            secret: SecretKey([UInt8](secret.utf8)),
            uid: uid
        )
        algorithm = signature == .old ? .old : .current
        self.homes = homes
        timeZone = zone
        self.securityConfiguration = configuration
        self.caFile = caFile
        self.isInsecure = isInsecure
    }

    /// Reads an account out of a secret of the plugin; the name is the secret's.
    ///
    /// - Throws: `invalid_config`, without a word of the secret.
    package init(secretName: String, text: String) throws(CommandError) {
        let name = secretName.hasPrefix(Self.secretPrefix) ? secretName.dropFirst(Self.secretPrefix.count) : ""
        guard !name.isEmpty, case .object(var object)? = try? JSON.parse(text) else {
            throw CommandError(.invalidConfig, "A stored account cannot be read.", hint: "Enter it again.")
        }
        object["name"] = .string(String(name))
        var reader = ConfigReader(.object(object), at: "account \(name.prefix(64))")
        let account = CloudAccount(&reader)
        try reader.check()
        guard let account else { throw CommandError(.invalidConfig, "A stored account cannot be read.") }
        self = account
    }

    /// The accounts of the configuration, then those of the plugin's secrets that have other names.
    ///
    /// - Returns: besides, what is wrong with secrets that cannot be read.
    package static func all(
        configured: [CloudAccount],
        secrets: Secrets
    ) -> (accounts: [CloudAccount], problems: [CommandError]) {
        var accounts = configured
        var problems: [CommandError] = []
        for (name, text) in secrets.exposed.sorted(by: { $0.key < $1.key }) where name.hasPrefix(secretPrefix) {
            do throws(CommandError) {
                let account = try CloudAccount(secretName: name, text: text)
                if !accounts.contains(where: { $0.name == account.name }) { accounts.append(account) }
            } catch { problems.append(error) }
        }
        return (accounts, problems)
    }

    /// What ``init(secretName:text:)`` reads: for the gateway's secrets only, never to be shown.
    package var exposedText: String {
        var object: JSONObject = [
            "url": .string(address.url), "client_id": .string(clientID), "uid": .string(uid),
            "secret": .string(String(decoding: secret.exposedBytes, as: UTF8.self)),
        ]
        if isInsecure { object["insecure"] = true }
        if algorithm == .old { object["signature"] = "old" }
        if let timeZone { object["time_zone"] = .string(timeZone) }
        if let caFile { object["ca_file"] = .string(caFile) }
        if !securityConfiguration.isEmpty { object["security_config"] = .object(securityConfiguration) }
        if !homes.isEmpty {
            object["homes"] = .object(JSONObject(homes.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
        }
        return JSON.object(object).text
    }

    // MARK: Members

    /// The member that nobody may see.
    static let secretKey = "secret"

    private enum SignatureName: String, CaseIterable { case current, old }

    private static func address(_ reader: inout ConfigReader, isInsecure: Bool) -> CloudAddress? {
        let region: CloudRegion? = reader.word("region")
        let url = reader.text("url")
        switch (region, url) {
        case (nil, nil):
            if reader.value("region") == nil, reader.value("url") == nil {
                let known = CloudRegion.allCases.map(\.rawValue).joined(separator: ", ")
                reader.add("region", "is missing: one of \(known), the data centre of the project")
            }
            return nil
        case (let region?, nil): return CloudAddress(region)
        case (nil, let url?):
            do throws(CloudAddress.Problem) {
                return try CloudAddress(url, plaintext: isInsecure ? .anywhere : .loopbackOnly)
            } catch {
                reader.add("url", "\(error)")
                return nil
            }
        case (_?, _?):
            reader.add("url", "stands beside region; only one of them counts")
            return nil
        }
    }

    private static func needed(_ key: String, _ meaning: String, _ reader: inout ConfigReader) -> String? {
        if reader.value(key) == nil { reader.add(key, "is missing: \(meaning)") }
        return word(key, limit: 128, &reader)
    }

    /// Text that goes into headers and paths as it is.
    private static func word(_ key: String, limit: Int, _ reader: inout ConfigReader) -> String? {
        guard let text = reader.text(key) else { return nil }
        if isWord(text, limit: limit) { return text }
        reader.add(key, "must have 1 to \(limit) letters, digits, hyphens, dots or underscores")
        return nil
    }

    private static func isWord(_ text: String, limit: Int) -> Bool {
        (1...limit).contains(text.utf8.count) && text.utf8.allSatisfy { CloudRequest.isUnreserved($0) }
    }

    /// The object that devices are sent; without `pub` and `url0` they ignore all of it.
    ///
    /// - Source: protocol description, section 8.6.
    private static func securityConfiguration(_ reader: inout ConfigReader) -> JSONObject {
        guard let value = reader.value("security_config") else { return [:] }
        guard let object = value.objectValue else {
            reader.add("security_config", "must be an object")
            return [:]
        }
        if !object.isEmpty, object["pub"]?.intValue == nil || object["url0"]?.stringValue == nil {
            reader.add("security_config", "needs pub, a whole number, and url0, a host name")
        }
        return object
    }
}
