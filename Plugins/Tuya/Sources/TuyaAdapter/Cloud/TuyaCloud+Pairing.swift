import EventLoop
package import JSON
package import TuyaProtocol

extension TuyaCloud: PairingCloud {
    package var securityConfiguration: JSONObject { account.securityConfiguration }

    package func homes(within deadline: Duration) async throws(CloudError) -> [CloudHome] {
        let reply = try await call(
            CloudRequest(method: "GET", path: "/v1.0/users/\(account.uid)/homes"),
            .backOff,
            within: deadline
        )
        guard let homes = CloudReading.homes(reply["result"]) else { throw .incomplete("list of homes") }
        guard !homes.isEmpty else {
            throw CloudError(
                .refused(.wrongDataCentreOrApp),
                "The cloud shows no home of the user.",
                hint: "Link the app account in the vendor's console, and check region and uid."
            )
        }
        return homes
    }

    package func ticket(home: String?, within deadline: Duration) async throws(CloudError) -> PairingTicket {
        var body: JSONObject = [
            "paring_type": "AP", "uid": .string(account.uid),
            "time_zone_id": .string(account.timeZone ?? TimeZoneName.current),
        ]
        if let home { body["home_id"] = .string(home) }
        // Earlier than the request that is answered, should it be repeated; better too early than too late.
        let asked = times.now()
        let request = CloudRequest(method: "POST", path: "/v1.0/device/paring/token", body: .object(body))
        let result = try await call(request, .backOff, within: deadline)["result"]
        guard let region = result?["region"]?.stringValue, let text = result?["token"]?.stringValue,
            let secret = result?["secret"]?.stringValue,
            let token = PairingToken(region: region, token: text, secret: secret)
        else {
            throw .incomplete("pairing token")
        }
        let seconds = result?["expire_time"].flatMap { CloudReading.number($0) }
        let lifetime = seconds.map { Duration.seconds(max(0, min($0, 86_400))) } ?? PairingTicket.longest
        return PairingTicket(token: token, home: home, lifetime: lifetime, asked: asked)
    }

    package func poll(_ token: PairingToken, within deadline: Duration) async throws(CloudError) -> PairingPoll {
        guard Self.isWord(token.token) else { return .cloudError(.badRequest) }
        let request = CloudRequest(method: "GET", path: "/v1.0/device/paring/tokens/\(token.token)")
        do throws(CloudError) {
            return PairingPoll(try await call(request, .askOnce, within: deadline))
        } catch {
            guard case .refused(let outcome) = error.reason else { throw error }
            return .cloudError(outcome)
        }
    }

    /// Whether it may stand in a path as it is.
    static func isWord(_ id: String) -> Bool {
        (1...128).contains(id.utf8.count) && id.utf8.allSatisfy { CloudRequest.isUnreserved($0) } && id != "."
            && id != ".."
    }
}
