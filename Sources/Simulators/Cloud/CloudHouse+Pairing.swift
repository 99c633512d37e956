internal import JSON

extension CloudHouse {
    mutating func newPairingToken(_ request: HTTPRequest, _ account: SimulatedAccount) throws(CloudRefusal) -> JSON {
        guard let body = try? JSON.parse(request.body) else { throw .illegal }
        guard let type = body["paring_type"]?.stringValue, let uid = body["uid"]?.stringValue,
            let zone = body["time_zone_id"]?.stringValue, !zone.isEmpty
        else {
            throw .missing
        }
        guard ["AP", "EZ", "BLE"].contains(type) else { throw .illegal }
        guard account.isLinked else { throw .notLinked }
        guard uid == account.uid, let first = account.homes.first else { throw .denied }
        // The vendor's own clients send it as a number or as text.
        let named = body["home_id"].flatMap { $0.intValue.map(String.init) ?? $0.stringValue } ?? ""
        guard let home = named.isEmpty ? first : account.homes.first(where: { "\($0.id)" == named }) else {
            throw .denied
        }
        let letters = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
        let life = Self.milliseconds(pairingTokenLife)
        let token = SimulatedPairingToken(
            region: account.region,
            token: random.text(8, of: letters),
            secret: random.text(4, of: letters),
            uid: uid,
            home: home.id,
            expires: now + life
        )
        pairingTokens.append(token)
        return [
            "region": .string(token.region), "token": .string(token.token), "secret": .string(token.secret),
            "expire_time": .integer(life / 1000),
        ]
    }

    func pairingState(_ token: String, _ account: SimulatedAccount) throws(CloudRefusal) -> JSON {
        guard let token = pairingTokens.first(where: { $0.token == token && $0.uid == account.uid }) else {
            throw .illegal
        }
        let joined = token.joined.compactMap { id in devices.first { $0.id == id } }
        return [
            "success": .array(
                joined.map { device in
                    [
                        "device_id": .string(device.id), "product_id": .string(device.productKey),
                        "category": .string(products[device.productKey]?.category ?? ""),
                        "name": .string(device.name),
                    ]
                }
            ),
            "failed": token.refused.isEmpty ? .null : .array(token.refused.map(\.json)),
        ]
    }

    /// A device comes with its token.
    ///
    /// A device keeps its id over pairings and gets a new local key at each.
    ///
    /// - Parameter clock: Unix time in milliseconds.
    package mutating func activate(
        _ activation: CloudActivation,
        at clock: Int64
    ) throws(CloudActivation.Refusal) -> CloudActivation.Result {
        now = clock + clockAhead
        guard
            let index = pairingTokens.firstIndex(where: {
                $0.token == activation.token && $0.secret == activation.secret && $0.region == activation.region
            })
        else {
            throw .tokenUnknown
        }
        guard !pairingTokens[index].isUsed else { throw .tokenUsed }
        guard now < pairingTokens[index].expires else { throw .tokenExpired }
        pairingTokens[index].isUsed = true
        let (uid, home) = (pairingTokens[index].uid, pairingTokens[index].home)
        let before = devices.firstIndex { $0.uuid == activation.uuid }
        let name = products[activation.product]?.name ?? "Device"
        if let before, let owner = devices[before].owner, owner != uid, devices[before].isBoundFirmly {
            refuse(index, devices[before].id, name, "DEVICE_ALREADY_BIND", "The device is bound to another account")
            throw .boundElsewhere
        }
        if !activationRefusals.isEmpty {
            let (code, message) = activationRefusals.removeFirst()
            refuse(index, before.map { devices[$0].id } ?? "", name, code, message)
            throw .refused
        }
        var device =
            before.map { devices[$0] }
            ?? SimulatedCloudDevice(
                id: "bf" + random.text(20, of: "abcdefghijklmnopqrstuvwxyz0123456789"),
                uuid: activation.uuid,
                name: name,
                localKey: "",
                productKey: activation.product
            )
        device.owner = uid
        device.home = home
        device.localKey = newLocalKey()
        if let before { devices[before] = device } else { devices.append(device) }
        pairingTokens[index].joined.append(device.id)
        return CloudActivation.Result(deviceID: device.id, localKey: device.localKey, name: device.name)
    }

    private mutating func refuse(_ token: Int, _ id: String, _ name: String, _ code: String, _ message: String) {
        pairingTokens[token].refused.append(
            SimulatedPairingToken.Refusal(deviceID: id, name: name, code: code, message: message)
        )
    }
}
