internal import JSON

extension CloudHouse {
    /// What a client with a valid access token may ask for.
    func homes(_ uid: String, _ account: SimulatedAccount) throws(CloudRefusal) -> JSON {
        guard uid == account.uid else { throw .denied }
        guard account.isLinked else { throw .notLinked }
        return .array(
            account.homes.map { ["home_id": JSON($0.id), "name": .string($0.name), "geo_name": "", "role": "OWNER"] }
        )
    }

    mutating func route(_ request: HTTPRequest, _ account: SimulatedAccount) throws(CloudRefusal) -> JSON {
        let path = request.segments
        switch (request.method, path.first ?? "", path.dropFirst().joined(separator: "/")) {
        case ("POST", "v1.0", "device/paring/token"): return try newPairingToken(request, account)
        case ("GET", "v1.0", "iot-01/associated-users/devices"):
            return page(request, devices(of: account), list: "devices", size: "size")
        case ("GET", "v1.3", "iot-03/devices"):
            return page(request, devices(of: account), list: "list", size: "page_size")
        case ("GET", "v1.0", "devices/factory-infos"): return factoryData(request, account)
        default: break
        }
        guard path.count >= 3 else { throw .noPath }
        switch (request.method, path[0], path[1], path.count) {
        case ("GET", "v1.0", "users", 4):
            if path[3] == "homes" { return try homes(path[2], account) }
            guard path[3] == "devices" else { throw .noPath }
            guard path[2] == account.uid else { throw .denied }
            return .array(devices(of: account).map { $0.json(products[$0.productKey]) })
        case ("GET", "v1.0", "device", 5):
            guard path[2] == "paring", path[3] == "tokens" else { throw .noPath }
            return try pairingState(path[4], account)
        case ("GET", "v1.0", "devices", 3):
            let device = try device(path[2], account)
            return device.json(products[device.productKey])
        case ("DELETE", "v1.0", "devices", 3): return try unbind(path[2], account)
        case ("DELETE", "v2.0", "cloud", 4): return try unbind(path[3], account)
        case ("GET", "v1.1", "devices", 4):
            guard path[3] == "specifications" else { throw .noPath }
            return try product(of: path[2], account).cloudSpecification
        case ("GET", "v1.0", "iot-03", 5):
            guard path[2] == "devices", path[4] == "specification" else { throw .noPath }
            return try product(of: path[3], account).cloudSpecification
        case ("GET", "v2.0", "cloud", 5):
            guard path[2] == "thing", path[4] == "model" else { throw .noPath }
            return ["model": .string(try product(of: path[3], account).thingModel.text)]
        default: throw .noPath
        }
    }

    // MARK: Devices

    private func devices(of account: SimulatedAccount) -> [SimulatedCloudDevice] {
        account.isLinked ? devices.filter { $0.owner == account.uid } : []
    }

    private func device(_ id: String, _ account: SimulatedAccount) throws(CloudRefusal) -> SimulatedCloudDevice {
        guard let device = devices.first(where: { $0.id == id }) else { throw .noDevice }
        guard device.owner == account.uid, account.isLinked else { throw .denied }
        return device
    }

    private func product(of id: String, _ account: SimulatedAccount) throws(CloudRefusal) -> Product {
        let key = try device(id, account).productKey
        guard let product = products[key] else { throw CloudRefusal(code: 2017, message: "schema does not exist") }
        return product
    }

    private func page(
        _ request: HTTPRequest,
        _ devices: [SimulatedCloudDevice],
        list: String,
        size name: String
    ) -> JSON {
        let size = max(1, min(100, request.parameter(name).flatMap { Int($0) } ?? 20))
        let last = request.parameter("last_row_key") ?? ""
        let start = last.isEmpty ? 0 : (devices.firstIndex { "row-" + $0.id == last } ?? devices.count - 1) + 1
        let part = devices[min(start, devices.count)...].prefix(size)
        return [
            list: .array(part.map { $0.json(products[$0.productKey]) }),
            "has_more": .bool(start + part.count < devices.count), "total": JSON(devices.count),
            "last_row_key": .string(part.last.map { "row-" + $0.id } ?? ""),
        ]
    }

    private func factoryData(_ request: HTTPRequest, _ account: SimulatedAccount) -> JSON {
        let ids = (request.parameter("device_ids") ?? "").split(separator: ",").map(String.init)
        return .array(
            devices(of: account).filter { ids.contains($0.id) }
                .map { ["id": .string($0.id), "uuid": .string($0.uuid), "mac": "020000000001"] }
        )
    }

    private mutating func unbind(_ id: String, _ account: SimulatedAccount) throws(CloudRefusal) -> JSON {
        _ = try device(id, account)
        guard let index = devices.firstIndex(where: { $0.id == id }) else { throw .noDevice }
        devices[index].owner = nil
        devices[index].home = nil
        devices[index].localKey = newLocalKey()
        return true
    }

    mutating func newLocalKey() -> String {
        random.text(
            16,
            of: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'&=-#!<>~*{}[]|;:,.?/@$%^()_+"
        )
    }
}
