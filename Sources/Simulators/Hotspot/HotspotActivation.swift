package import HTTPClient
internal import JSON

/// How a simulated device reaches the cloud with its token.
package struct HotspotActivation: Sendable {
    /// Why there is no id.
    package enum Failure: Error, Equatable, Sendable {
        /// The cloud does not take the token, for this reason.
        case refused(String)
        case unreachable(String)
    }

    /// What the cloud says.
    package let activate: @Sendable (CloudActivation) async -> Result<CloudActivation.Result, Failure>

    /// Any way, for tests.
    package init(_ activate: @escaping @Sendable (CloudActivation) async -> Result<CloudActivation.Result, Failure>) {
        self.activate = activate
    }

    /// A simulated cloud, at an address such as `http://127.0.0.1:8070`.
    package static func cloud(_ url: String, client: HTTPClient) -> HotspotActivation {
        HotspotActivation { activation in
            let request = HTTPClient.Request(
                "POST",
                url: url + "/sim/activate",
                headers: [.init("Content-Type", "application/json")],
                body: activation.json.serialized()
            )
            do {
                let response = try await client.send(request)
                let json = (try? JSON.parse(response.body)) ?? .null
                if let result = CloudActivation.Result(json: json) { return .success(result) }
                return .failure(.refused(json["error"]?.stringValue ?? "status \(response.status)"))
            } catch {
                return .failure(.unreachable("\(error)"))
            }
        }
    }
}
