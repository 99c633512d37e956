import Crypto
import JSON
import Simulators
import TuyaProtocol

/// Asks a ``CloudHouse`` as the vendor's clients do, with a clock of its own.
struct CloudClient {
    var house: CloudHouse
    var account: SimulatedAccount
    /// Milliseconds.
    var now: Int64 = 1_700_000_000_000
    /// By how much the client's own clock is off.
    var ahead: Int64 = 0
    var secret: String
    var token = ""

    init(_ house: CloudHouse = CloudHouse()) {
        self.house = house
        account = house.accounts[0]
        secret = house.accounts[0].secret
    }

    /// Signs and sends.
    mutating func ask(
        _ method: String,
        _ path: String,
        query: [(String, String)] = [],
        body: JSON? = nil
    ) throws -> JSON {
        let bytes = body?.serialized() ?? []
        let signer = CloudSigner(clientID: account.clientID, secret: SecretKey([UInt8](secret.utf8)))
        let time = "\(now + ahead)"
        let signature = try signer.signature(
            CloudSigner.Request(
                method: method,
                path: path,
                query: query.map { (key: $0.0, value: $0.1) },
                body: bytes
            ),
            accessToken: token,
            time: time,
            nonce: "once"
        )
        var request = HTTPRequest(method: method, path: path, query: query.map { .init($0.0, $0.1) }, body: bytes)
        request.headers = [
            .init("client_id", account.clientID), .init("sign", signature), .init("t", time), .init("nonce", "once"),
            .init("sign_method", "HMAC-SHA256"),
        ]
        if !token.isEmpty { request.headers.append(.init("access_token", token)) }
        return try JSON.parse(house.answer(request, at: now).body)
    }

    /// Gets an access token.
    mutating func signIn() throws {
        token = ""
        let answer = try ask("GET", "/v1.0/token", query: [("grant_type", "1")])
        token = answer["result"]?["access_token"]?.stringValue ?? ""
    }

    /// Gets a pairing token.
    mutating func ticket(home: JSON = "") throws -> JSON {
        try ask(
            "POST",
            "/v1.0/device/paring/token",
            body: ["paring_type": "AP", "uid": .string(account.uid), "time_zone_id": "Europe/Berlin", "home_id": home]
        )
    }
}
