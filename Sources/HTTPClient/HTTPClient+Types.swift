extension HTTPClient {
    /// A line of a request's or an answer's head.
    package struct Header: Sendable, Equatable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// What is asked for.
    package struct Request: Sendable, Equatable {
        /// Upper case, such as `GET`.
        package var method: String
        /// `http://…` or `https://…`, already percent-encoded.
        package var url: String
        package var headers: [Header]
        package var body: [UInt8]
        /// From the call to the end of the answer, waiting for a free connection included.
        package var deadline: Duration
        /// The most bytes of a body that are taken.
        package var maxResponse: Int

        package init(
            _ method: String = "GET",
            url: String,
            headers: [Header] = [],
            body: [UInt8] = [],
            deadline: Duration = .seconds(30),
            maxResponse: Int = 1 << 20
        ) {
            self.method = method
            self.url = url
            self.headers = headers
            self.body = body
            self.deadline = deadline
            self.maxResponse = maxResponse
        }
    }

    /// An answer, whatever its status; redirects are answers.
    package struct Response: Sendable, Equatable {
        package var status: Int
        /// In the order in which they came.
        package var headers: [Header]
        package var body: [UInt8]

        package init(status: Int, headers: [Header] = [], body: [UInt8] = []) {
            self.status = status
            self.headers = headers
            self.body = body
        }

        /// The first header with this name, in whatever case.
        package func header(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }

    /// What all requests of a client have in common.
    package struct Options: Sendable, Equatable {
        /// The authorities that are trusted, as PEM; nil: those of the system.
        package var caFile: String?
        /// More requests to a host wait for their turn.
        package var connectionsPerHost: Int
        package var userAgent: String

        package init(caFile: String? = nil, connectionsPerHost: Int = 4, userAgent: String = "lintel") {
            self.caFile = caFile
            self.connectionsPerHost = connectionsPerHost
            self.userAgent = userAgent
        }
    }
}
