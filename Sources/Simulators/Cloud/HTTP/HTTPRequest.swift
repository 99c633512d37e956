/// A request as the simulated servers got it.
package struct HTTPRequest: Sendable, Equatable {
    package struct Field: Sendable, Equatable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package var method: String
    /// As it was sent, without the query.
    package var path: String
    /// Percent-decoded, in the order of the query.
    package var query: [Field]
    package var headers: [Field]
    package var body: [UInt8]

    package init(method: String, path: String, query: [Field] = [], headers: [Field] = [], body: [UInt8] = []) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// The first header with this name, in whatever case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The first value of a key of the query.
    package func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// The path between its slashes.
    package var segments: [String] { path.split(separator: "/").map(String.init) }
}
