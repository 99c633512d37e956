package import Crypto

/// Signs requests to the vendor's cloud.
///
/// Source: protocol description, section 9.2.
package struct CloudSigner: Sendable {
    /// What is signed in a request.
    package struct Request: Equatable, Sendable {
        package var method: String
        package var path: String
        /// Not percent-encoded, in any order.
        package var query: [(key: String, value: String)]
        /// Exactly the bytes that are sent.
        package var body: [UInt8]
        /// In the order in which `Signature-Headers` names them.
        package var signedHeaders: [(name: String, value: String)]

        /// Describes a request.
        package init(
            method: String,
            path: String,
            query: [(key: String, value: String)] = [],
            body: [UInt8] = [],
            signedHeaders: [(name: String, value: String)] = []
        ) {
            self.method = method
            self.path = path
            self.query = query
            self.body = body
            self.signedHeaders = signedHeaders
        }

        package static func == (left: Request, right: Request) -> Bool {
            left.method == right.method && left.path == right.path && left.body == right.body
                && left.query.elementsEqual(right.query) { $0 == $1 }
                && left.signedHeaders.elementsEqual(right.signedHeaders) { $0 == $1 }
        }

        /// Path and query sorted by key.
        package var url: String {
            guard !query.isEmpty else { return path }
            return path + "?"
                + query.sorted { [UInt8]($0.key.utf8).lexicographicallyPrecedes([UInt8]($1.key.utf8)) }
                .map { "\($0.key)=\($0.value)" }.joined(separator: "&")
        }
    }

    /// Which algorithm the project uses.
    package enum Algorithm: Sendable {
        case current
        /// Of projects from before 2021-06-30: nothing of the request is signed.
        case old
    }

    private let clientID: String
    private let secret: SecretKey
    private let algorithm: Algorithm

    /// Signs for a project.
    package init(clientID: String, secret: SecretKey, algorithm: Algorithm = .current) {
        self.clientID = clientID
        self.secret = secret
        self.algorithm = algorithm
    }

    /// The part of the signature's input that describes the request.
    package static func stringToSign(_ request: Request) throws(CryptoError) -> String {
        let digest = Hex.encode(try Digest.sha256(request.body))
        let headers = request.signedHeaders.map { "\($0.name):\($0.value)\n" }.joined()
        return "\(request.method)\n\(digest)\n\(headers)\n\(request.url)"
    }

    /// All that is signed.
    ///
    /// - Parameters:
    ///   - accessToken: empty for requests that get one.
    ///   - time: Unix time in milliseconds, 13 digits, as it is sent in the header `t`.
    package func input(
        _ request: Request,
        accessToken: String,
        time: String,
        nonce: String
    ) throws(CryptoError) -> String {
        let start = clientID + accessToken + time
        return algorithm == .old ? start : start + nonce + (try Self.stringToSign(request))
    }

    /// The header `sign`: upper-case hex.
    package func signature(
        _ request: Request,
        accessToken: String,
        time: String,
        nonce: String
    ) throws(CryptoError) -> String {
        let input = try input(request, accessToken: accessToken, time: time, nonce: nonce)
        return Hex.encode(try HMACSHA256.code(for: [UInt8](input.utf8), key: secret), .upper)
    }
}
