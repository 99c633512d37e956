import HTTPClient
import JSON
import TuyaProtocol

extension CloudError {
    /// What a refusal means.
    ///
    /// - Parameters:
    ///   - secrets: never to be repeated, should the cloud's words hold one.
    ///   - skew: how far our clock is off, in words.
    init(refusal outcome: CloudOutcome, _ reply: JSON, hiding secrets: [String], skew: String?) {
        let said = Self.words(reply["msg"]?.stringValue ?? "", hiding: secrets)
        let quote = said.isEmpty ? "" : " (\(said))"
        let (message, hint) = Self.meaning(outcome, quote: quote, skew: skew)
        self.init(.refused(outcome), message, code: CloudReading.text(reply["code"]), hint: hint)
    }

    /// What a failed request means.
    init(_ error: HTTPError, _ address: CloudAddress) {
        switch error {
        case .nameNotFound, .unreachable, .broken:
            self.init(
                .unreachable,
                "The cloud cannot be reached at \(address).",
                hint: "Check the gateway's way to the internet; everything that is paired works without it."
            )
        case .untrusted(let detail):
            self.init(
                .untrusted,
                "The certificate of \(address) is not trusted: \(detail.prefix(200)).",
                hint: "Check this machine's clock and url; with a certificate of your own set ca_file."
            )
        case .timedOut: self.init(.timedOut, "The cloud did not answer in time.", hint: "Try again in a minute.")
        case .tooLarge, .notHTTP, .invalidRequest, .library:
            self.init(.notTheCloud, "What answers at \(address) is not the vendor's cloud.", hint: Self.placeHint)
        case .cancelled, .closed: self.init(.cancelled, "The request to the cloud was cancelled.")
        }
    }

    /// An answer that is no JSON.
    static func unreadable(status: Int, _ address: CloudAddress) -> CloudError {
        switch status {
        case 429:
            CloudError(.refused(.retryLater), "The cloud is asked too often.", hint: "Try again in a minute.")
        case 502, 503, 504:
            CloudError(.unreachable, "The cloud is out of order (HTTP \(status)).", hint: "Try again later.")
        default:
            CloudError(
                .notTheCloud,
                "What answers at \(address) is not the vendor's cloud (HTTP \(status)).",
                hint: placeHint
            )
        }
    }

    /// An answer without what was asked for.
    static func incomplete(_ what: String) -> CloudError {
        CloudError(.incomplete, "The cloud's answer holds no \(what).", hint: "Try again later.")
    }

    static let cancelled = CloudError(.cancelled, "The request to the cloud was cancelled.")
    static let late = CloudError(.timedOut, "The cloud did not answer in time.", hint: "Try again in a minute.")

    private static let placeHint =
        "Check region or url, and whether a sign-in page or a proxy stands between the gateway and the internet."

    /// The cloud's words, cut, without control characters; nothing at all where a secret is among them.
    private static func words(_ text: String, hiding secrets: [String]) -> String {
        if secrets.contains(where: { !$0.isEmpty && text.contains($0) }) { return "" }
        let plain = text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
        return String(String.UnicodeScalarView(plain).prefix(160))
    }

    private static func meaning(_ outcome: CloudOutcome, quote: String, skew: String?) -> (String, String?) {
        switch outcome {
        case .ok: ("The cloud agreed.", nil)
        case .badSignature:
            (
                "The cloud does not accept the signature.",
                "Check the account's client secret, and whether its project is from before June 2021 (signature: old)."
            )
        case .badCredentials:
            (
                "The cloud does not know the client id.",
                "Check client_id, and that region is the data centre of the project."
            )
        case .tokenExpired, .tokenInvalid:
            ("The cloud refuses the access that it has just granted\(quote).", "Try again later.")
        case .clockSkew:
            (
                "The cloud does not accept this machine's time\(skew.map { ": its clock is \($0)" } ?? "").",
                "Set the machine's clock, best by NTP."
            )
        case .badRequest:
            (
                "The cloud does not understand the request\(quote).",
                "Check that region or url is the data centre of the project."
            )
        case .permissionDenied:
            (
                "The cloud does not permit it\(quote).",
                "The home or the device belongs to another account, or the project is in another data centre."
            )
        case .retryLater: ("The cloud is busy, or is asked too often.", "Try again in a minute.")
        case .deviceOffline:
            ("The cloud says that the device is offline.", "Check that the device has power and network.")
        case .unsupportedFunction: ("The device does not support it\(quote).", nil)
        case .unknownDevice:
            ("The cloud does not know the device.", "It was removed from the account, or belongs to another one.")
        case .noSchema: ("The cloud has no description of the product.", nil)
        case .wrongDataCentreOrApp:
            (
                "The user's app account is not linked to the project, or is in another data centre.",
                "Link it in the vendor's console (Devices, Link App Account), and check region and uid."
            )
        case .subscriptionExpired:
            ("The project's subscription has ended.", "Extend the trial of IoT Core in the vendor's console.")
        case .apiNotSubscribed:
            (
                "The project may not use this part of the cloud\(quote).",
                "Subscribe to IoT Core and Authorization in the vendor's console."
            )
        case .error(let code, _): ("The cloud refused\(code.map { " with \($0)" } ?? "")\(quote).", nil)
        }
    }
}
