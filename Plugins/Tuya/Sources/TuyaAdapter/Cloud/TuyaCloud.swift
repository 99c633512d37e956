import Crypto
package import EventLoop
import HTTPClient
import JSON
import TuyaProtocol

/// A client of the vendor's cloud for one account.
///
/// All requests share one access token, which is never fetched twice at a time, replaced a minute before it ends, and once
/// more when the cloud refuses it. They are signed with the cloud's own time, which each answer tells, so that a clock that
/// is off does no harm once it is known. No more than two requests go out in a second.
/// - Source: protocol description, section 9.
@Loop
package final class TuyaCloud {
    /// How long one request may take.
    private static let requestLimit = Duration.seconds(15)
    /// Longer than any page of a list.
    private static let answerLimit = 4 << 20

    package nonisolated let account: CloudAccount
    let times: CloudTimes
    private let client: HTTPClient
    private let signer: CloudSigner
    private var clock = CloudClock()
    private var pace = RequestPace()
    private var access: AccessToken?
    private let fetching = SingleFlight<AccessToken>()

    /// Prepares a client; nothing is connected yet.
    package init(_ account: CloudAccount, times: CloudTimes = CloudTimes()) {
        self.account = account
        self.times = times
        client = HTTPClient(HTTPClient.Options(caFile: account.caFile, connectionsPerHost: 2))
        signer = CloudSigner(clientID: account.clientID, secret: account.secret, algorithm: account.algorithm)
    }

    /// Ends what is under way and closes all connections; the client is of no use after it.
    package func close() { client.close() }

    /// How far the cloud's clock is ahead of this machine's; nil until it has answered.
    package var clockAhead: Duration? { clock.ahead.map { .milliseconds($0) } }

    // MARK: Requests

    /// Asks, with an access token, and repeats what may be repeated until the deadline.
    ///
    /// - Returns: an answer with `success`.
    func call(_ request: CloudRequest, _ patience: CallRecovery.Patience, within deadline: Duration)
        async throws(CloudError)
        -> JSON
    {
        let end = times.now() + deadline
        var recovery = CallRecovery(patience)
        while true {
            do throws(CloudError) {
                return try await once(request, by: end)
            } catch {
                guard let pause = recovery.pause(after: error), times.now() + pause < end else { throw error }
                if pause > .zero { try await sleep(pause) }
            }
        }
    }

    private func once(_ request: CloudRequest, by end: MonotonicTime) async throws(CloudError) -> JSON {
        let token = try await accessToken(by: end)
        do throws(CloudError) {
            return try await agreed(request, token, by: end)
        } catch {
            if CallRecovery.isAboutToken(error), access?.token == token { access = nil }
            throw error
        }
    }

    /// One request and its answer; a refusal is thrown.
    private func agreed(_ request: CloudRequest, _ token: String, by end: MonotonicTime) async throws(CloudError)
        -> JSON
    {
        let reply = try await exchange(request, token, by: end)
        let outcome = CloudOutcome(reply)
        if outcome == .ok { return reply }
        if reply["success"] == nil, reply["code"] == nil { throw CloudError.unreadable(status: 200, account.address) }
        throw CloudError(refusal: outcome, reply, hiding: secrets(besides: token), skew: clock.words)
    }

    private func exchange(_ request: CloudRequest, _ token: String, by end: MonotonicTime) async throws(CloudError)
        -> JSON
    {
        try await waitForTurn(by: end)
        let signed = request.signed
        let headers = try headers(signed, token)
        let left = end - times.now()
        guard left > .zero else { throw .late }
        let response: HTTPClient.Response
        do throws(HTTPError) {
            response = try await client.send(
                HTTPClient.Request(
                    request.method,
                    url: account.address.url + request.target,
                    headers: headers,
                    body: signed.body,
                    deadline: min(left, Self.requestLimit),
                    maxResponse: Self.answerLimit
                )
            )
        } catch { throw CloudError(error, account.address) }
        let limits = JSONLimits(maxBytes: Self.answerLimit)
        guard let reply = try? JSON.parse(response.body, limits: limits), reply.objectValue != nil else {
            throw .unreadable(status: response.status, account.address)
        }
        clock.learn(reply, at: times.unixMilliseconds())
        return reply
    }

    private func waitForTurn(by end: MonotonicTime) async throws(CloudError) {
        let now = times.now()
        guard pace.next(after: now) < end else { throw .late }
        let slot = pace.take(after: now)
        if slot > now { try await sleep(slot - now) }
    }

    private func headers(_ signed: CloudSigner.Request, _ token: String) throws(CloudError) -> [HTTPClient.Header] {
        let time = clock.time(times.unixMilliseconds())
        do throws(CryptoError) {
            let nonce = Hex.encode(try SecureRandom.bytes(16))
            let signature = try signer.signature(signed, accessToken: token, time: time, nonce: nonce)
            var headers = [
                HTTPClient.Header("client_id", account.clientID), .init("sign", signature), .init("t", time),
                .init("sign_method", "HMAC-SHA256"), .init("nonce", nonce), .init("lang", "en"),
                .init("Content-Type", "application/json"),
            ]
            if !token.isEmpty { headers.append(.init("access_token", token)) }
            return headers
        } catch {
            throw CloudError(
                .notConfigured,
                "The request cannot be signed.",
                hint: "Check the account's client secret."
            )
        }
    }

    private func sleep(_ time: Duration) async throws(CloudError) {
        do throws(LoopError) { try await times.sleep(time) } catch { throw .cancelled }
    }

    private func secrets(besides token: String) -> [String] {
        [token, access?.refresh ?? "", String(decoding: account.secret.exposedBytes, as: UTF8.self)]
    }

    // MARK: Access

    private func accessToken(by end: MonotonicTime) async throws(CloudError) -> String {
        let now = times.now()
        if let access, access.isFresh(at: now) { return access.token }
        return try await fetching.value(within: end - now) { [self] in await fetch() }.token
    }

    private func fetch() async -> Result<AccessToken, CloudError> {
        let end = times.now() + Self.requestLimit
        do throws(CloudError) {
            let token = try await refreshed(by: end)
            let new =
                if let token { token } else {
                    try await granted("/v1.0/token", [(key: "grant_type", value: "1")], by: end)
                }
            access = new
            return .success(new)
        } catch { return .failure(error) }
    }

    /// A token in the place of one that is about to end; nil where only a new one helps.
    private func refreshed(by end: MonotonicTime) async throws(CloudError) -> AccessToken? {
        guard let refresh = access?.refresh else { return nil }
        do throws(CloudError) {
            return try await granted("/v1.0/token/\(refresh)", [], by: end)
        } catch {
            guard CallRecovery.isAboutToken(error) || error.isRefusal(.badRequest) else { throw error }
            access = nil
            return nil
        }
    }

    private func granted(
        _ path: String,
        _ query: [(key: String, value: String)],
        by end: MonotonicTime
    ) async throws(CloudError) -> AccessToken {
        let asked = times.now()
        let reply = try await agreed(CloudRequest(method: "GET", path: path, query: query), "", by: end)
        guard let token = AccessToken(reply, asked: asked) else { throw .incomplete("access token") }
        return token
    }
}
