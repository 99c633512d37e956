internal import Crypto
internal import JSON
internal import TuyaProtocol

extension CloudHouse {
    /// Checks who asks, then does what is asked.
    mutating func respond(_ request: HTTPRequest) throws(CloudRefusal) -> JSON {
        let isTokenRequest = request.path == "/v1.0/token" || request.path.hasPrefix("/v1.0/token/")
        let account = try sender(of: request, isTokenRequest: isTokenRequest)
        if isTokenRequest { return try accessToken(request, account) }
        guard let token = request.header("access_token"), !token.isEmpty else { throw .missing }
        guard let access = accessTokens.first(where: { $0.token == token && $0.clientID == account.clientID }) else {
            throw .tokenInvalid
        }
        guard now < access.expires else { throw .tokenExpired }
        return try route(request, account)
    }

    private func sender(of request: HTTPRequest, isTokenRequest: Bool) throws(CloudRefusal) -> SimulatedAccount {
        guard let client = request.header("client_id"), let signature = request.header("sign"),
            let time = request.header("t"), request.header("sign_method") == "HMAC-SHA256"
        else {
            throw .missing
        }
        guard let account = accounts.first(where: { $0.clientID == client }) else { throw .badClient }
        guard let milliseconds = Int64(time), (milliseconds - now).magnitude <= Self.clockTolerance else {
            throw .wrongTime
        }
        let names = (request.header("signature-headers") ?? "").split(separator: ":").map(String.init)
        let signed = CloudSigner.Request(
            method: request.method,
            path: request.path,
            query: request.query.map { (key: $0.name, value: $0.value) },
            body: request.body,
            signedHeaders: names.map { (name: $0, value: request.header($0) ?? "") }
        )
        let signer = CloudSigner(clientID: client, secret: SecretKey([UInt8](account.secret.utf8)))
        let expected = try? signer.signature(
            signed,
            accessToken: isTokenRequest ? "" : request.header("access_token") ?? "",
            time: time,
            nonce: request.header("nonce") ?? ""
        )
        guard expected == signature else { throw .badSignature }
        return account
    }

    private mutating func accessToken(
        _ request: HTTPRequest,
        _ account: SimulatedAccount
    ) throws(CloudRefusal) -> JSON {
        guard request.method == "GET" else { throw .noPath }
        if request.segments.count == 3 {
            let refresh = request.segments[2]
            guard let old = accessTokens.firstIndex(where: { $0.refresh == refresh }),
                accessTokens[old].clientID == account.clientID
            else {
                throw .tokenInvalid
            }
            accessTokens.remove(at: old)
        } else if request.parameter("grant_type") != "1" {
            throw .illegal
        }
        let letters = "0123456789abcdef"
        let life = Self.milliseconds(accessTokenLife)
        let token = AccessToken(
            token: random.text(32, of: letters),
            refresh: random.text(32, of: letters),
            clientID: account.clientID,
            expires: now + life
        )
        accessTokens.append(token)
        return [
            "access_token": .string(token.token), "refresh_token": .string(token.refresh),
            "expire_time": .integer(life / 1000), "uid": .string("project-" + account.clientID),
        ]
    }

    static func milliseconds(_ duration: Duration) -> Int64 {
        duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
    }
}
