package import JSON

extension CloudHouse {
    /// Reads a plan; everything in it is optional.
    ///
    /// ```json
    /// {"seed": 1, "access_token_seconds": 7200, "pairing_token_seconds": 600, "requests_per_second": 10,
    ///  "accounts": [{"client_id": "…", "secret": "…", "uid": "…", "region": "EU", "linked": true,
    ///                "homes": [{"id": 1000001, "name": "Home"}]}],
    ///  "devices": [{"id": "…", "uuid": "…", "name": "…", "local_key": "…", "product": "key2rgbcwlamp",
    ///               "owner": "a uid", "home": 1000001, "ip": "…", "node_id": "…", "gateway_id": "…"}],
    ///  "faults": [{"do": "code", "code": 1010, "path": "/v1.0/device"}]}
    /// ```
    package init(plan: JSON) throws(CloudPlanError) {
        guard plan.objectValue != nil else { throw CloudPlanError(description: "the plan must be an object") }
        let accounts = try Self.list("accounts", plan).map { (place, entry) throws(CloudPlanError) in
            try Self.account(place, entry)
        }
        self.init(
            accounts: accounts.isEmpty ? [SimulatedAccount()] : accounts,
            seed: UInt64(plan["seed"]?.intValue?.magnitude ?? 1)
        )
        for (place, entry) in try Self.list("devices", plan) {
            devices.append(try device(place, entry))
        }
        for (place, entry) in try Self.list("faults", plan) {
            guard let fault = CloudFault(json: entry) else {
                throw CloudPlanError(description: "\(place) is no fault")
            }
            faults.append(fault)
        }
        if let seconds = plan["access_token_seconds"]?.intValue { accessTokenLife = .seconds(seconds) }
        if let seconds = plan["pairing_token_seconds"]?.intValue { pairingTokenLife = .seconds(seconds) }
        requestsPerSecond = plan["requests_per_second"]?.intValue
    }

    private static func list(_ key: String, _ plan: JSON) throws(CloudPlanError) -> [(place: String, entry: JSON)] {
        guard let value = plan[key] else { return [] }
        guard let list = value.arrayValue else { throw CloudPlanError(description: "\(key) must be a list") }
        return list.enumerated().map { ("\(key)[\($0)]", $1) }
    }

    private static func account(_ place: String, _ entry: JSON) throws(CloudPlanError) -> SimulatedAccount {
        var account = SimulatedAccount()
        if let text = entry["client_id"]?.stringValue { account.clientID = text }
        if let text = entry["secret"]?.stringValue { account.secret = text }
        if let text = entry["uid"]?.stringValue { account.uid = text }
        if let text = entry["region"]?.stringValue {
            guard text.utf8.count == 2 else { throw CloudPlanError(description: "\(place).region takes two letters") }
            account.region = text
        }
        account.isLinked = entry["linked"]?.boolValue ?? true
        if let homes = entry["homes"]?.arrayValue {
            account.homes = homes.compactMap { home in
                home["id"]?.intValue.map { SimulatedAccount.Home(id: $0, name: home["name"]?.stringValue ?? "") }
            }
        }
        return account
    }

    private mutating func device(_ place: String, _ entry: JSON) throws(CloudPlanError) -> SimulatedCloudDevice {
        guard let id = entry["id"]?.stringValue else { throw CloudPlanError(description: "\(place).id is missing") }
        let key = entry["local_key"]?.stringValue ?? newLocalKey()
        guard key.unicodeScalars.count == 16 else {
            throw CloudPlanError(description: "\(place).local_key takes 16 characters")
        }
        var device = SimulatedCloudDevice(
            id: id,
            uuid: entry["uuid"]?.stringValue ?? id,
            name: entry["name"]?.stringValue ?? id,
            localKey: key,
            productKey: entry["product"]?.stringValue ?? Product.light(.rgbcw).productKey,
            owner: entry["owner"]?.stringValue ?? accounts.first?.uid,
            home: entry["home"]?.intValue ?? accounts.first?.homes.first?.id
        )
        device.address = entry["ip"]?.stringValue
        device.nodeID = entry["node_id"]?.stringValue
        device.gatewayID = entry["gateway_id"]?.stringValue
        return device
    }
}
