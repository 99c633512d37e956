internal import JSON

/// A simulated cloud of the vendor as a value: requests go in, answers come out, and the time is told to it.
///
/// It checks what the real one checks: client, clock, signature, access token, who owns what. Answers of
/// `POST /sim/…` are its own, see ``CloudHouse/simulate(_:)``.
/// - Source: protocol description, section 9.
package struct CloudHouse: Sendable {
    package struct AccessToken: Sendable, Equatable {
        package var token: String
        package var refresh: String
        package var clientID: String
        /// Milliseconds of the cloud's clock.
        package var expires: Int64
    }

    /// How far a client's clock may be off.
    package static let clockTolerance: Int64 = 5 * 60 * 1000

    package var accounts: [SimulatedAccount]
    package var devices: [SimulatedCloudDevice] = []
    /// By product key.
    package var products: [String: Product]
    package var accessTokens: [AccessToken] = []
    package var pairingTokens: [SimulatedPairingToken] = []
    /// The first that concerns a request happens.
    package var faults: [CloudFault] = []
    /// What the next devices that activate are refused with.
    package var activationRefusals: [(code: String, message: String)] = []
    /// Milliseconds by which its clock is ahead of the one that it is told.
    package var clockAhead: Int64 = 0
    package var accessTokenLife: Duration = .seconds(7200)
    /// What it says of a pairing token's life and keeps.
    package var pairingTokenLife: Duration = .seconds(600)
    /// More requests in a second are refused with 1199; nil: no limit.
    package var requestsPerSecond: Int?
    /// Requests that were not the simulator's own, and how they ended: 0 or the vendor's number.
    package private(set) var journal: [(request: HTTPRequest, code: Int)] = []

    /// Milliseconds of its own clock.
    var now: Int64 = 0
    var random: SeededGenerator
    private var recent: [Int64] = []

    /// A cloud without devices.
    package init(accounts: [SimulatedAccount] = [SimulatedAccount()], seed: UInt64 = 1) {
        self.accounts = accounts
        random = SeededGenerator(seed: seed)
        var products: [String: Product] = [:]
        for generation in LightGeneration.allCases {
            for type in LightType.allCases {
                let product = Product.light(type, generation)
                products[product.productKey] = product
            }
        }
        products[Product.meteringPlug.productKey] = .meteringPlug
        self.products = products
    }

    /// Answers a request.
    ///
    /// - Parameter clock: Unix time in milliseconds.
    package mutating func answer(_ request: HTTPRequest, at clock: Int64) -> HTTPAnswer {
        now = clock + clockAhead
        if request.path.hasPrefix("/sim/") { return simulate(request) }
        let fault = takeFault(request)
        if let answer = fault.flatMap(instead) {
            note(request, code(of: fault))
            return answer
        }
        var answer: HTTPAnswer
        do throws(CloudRefusal) {
            if isTooOften() { throw .tooOften }
            let result = try respond(request)
            note(request, 0)
            answer = .json(envelope(["success": true, "result": fault?.act == .emptyResult ? true : result]))
        } catch {
            note(request, error.code)
            answer = refusal(code: JSON(error.code), error.message)
        }
        switch fault?.act {
        case .delay(let milliseconds)?: answer.delay = .milliseconds(milliseconds)
        case .huge(let bytes)?: answer.body = [UInt8](repeating: 0x20, count: bytes) + answer.body
        default: break
        }
        return answer
    }

    /// How many requests a path got, whatever the answer.
    package func requests(_ method: String, _ prefix: String) -> Int {
        journal.count { $0.request.method == method && $0.request.path.hasPrefix(prefix) }
    }

    func envelope(_ object: JSONObject) -> JSON {
        var object = object
        object["t"] = .integer(now)
        object["tid"] = "simulated"
        return .object(object)
    }

    private func refusal(code: JSON, _ message: String) -> HTTPAnswer {
        .json(envelope(["success": false, "code": code, "msg": .string(message)]))
    }

    private mutating func note(_ request: HTTPRequest, _ code: Int) { journal.append((request, code)) }

    private mutating func isTooOften() -> Bool {
        guard let limit = requestsPerSecond else { return false }
        recent = recent.filter { now - $0 < 1000 }
        recent.append(now)
        return recent.count > limit
    }

    // MARK: Faults

    private mutating func takeFault(_ request: HTTPRequest) -> CloudFault? {
        guard let index = faults.firstIndex(where: { $0.concerns(request) }) else { return nil }
        let fault = faults[index]
        if let times = fault.times {
            faults[index].times = times - 1
            if times <= 1 { faults.remove(at: index) }
        }
        return fault
    }

    private func code(of fault: CloudFault?) -> Int {
        if case .code(let code, _)? = fault?.act { code } else { -1 }
    }

    /// The answer of faults that look at nothing else.
    private func instead(_ fault: CloudFault) -> HTTPAnswer? {
        switch fault.act {
        case .code(let code, let message): return refusal(code: JSON(code), message)
        case .textCode(let code, let message): return refusal(code: .string(code), message)
        case .page(let status): return .text("<html><body>Sign in</body></html>", type: "text/html", status: status)
        case .shapeless: return .json(["t": .integer(now)])
        case .redirect(let place):
            var answer = HTTPAnswer.text("", status: 302)
            answer.headers.append(.init("Location", place))
            return answer
        case .close, .silence:
            var answer = HTTPAnswer()
            answer.delivery = fault.act == .close ? .close : .silence
            return answer
        case .emptyResult, .huge, .delay: return nil
        }
    }
}
