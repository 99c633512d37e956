public import HomeModel
public import JSON

/// `device/added` and `device/changed`: what a device is, and its secrets to keep.
public struct DescribedNote: Sendable, Equatable {
    /// The device's whole description.
    public var description: DeviceDescription
    /// Secrets to keep sealed, given back at the next start.
    public var secrets: Secrets?

    /// Wraps a description.
    public init(description: DeviceDescription, secrets: Secrets? = nil) {
        self.description = description
        self.secrets = secrets
    }

    /// `{"device": description, "secrets"?}`; holds the secrets in clear.
    public var params: JSONObject {
        var params: JSONObject = ["device": description.json]
        if let secrets, !secrets.isEmpty { params["secrets"] = .object(secrets.wire) }
        return params
    }

    init(params members: JSONObject, of method: WireMethod) throws(WireFailure) {
        let params = Params(members, of: method)
        let device = JSON.object(try params.object("device"))
        do {
            description = try DeviceDescription(json: device)
        } catch {
            throw params.invalid(error.message)
        }
        secrets = try params.secrets("secrets")
    }
}
