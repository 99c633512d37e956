import EventLoop
package import JSON
import TuyaProtocol

extension TuyaCloud {
    /// Devices on a page of a list.
    private static let pageSize = 50
    /// More than any account has.
    private static let pageLimit = 100

    package func device(_ id: String, within deadline: Duration) async throws(CloudError) -> CloudDevice {
        let path = try Self.path(id, "/v1.0/devices/")
        let reply = try await call(CloudRequest(method: "GET", path: path), .backOff, within: deadline)
        guard let device = reply["result"].flatMap(CloudReading.device), device.id == id else {
            throw .incomplete("device")
        }
        return device
    }

    package func devices(within deadline: Duration) async throws(CloudError) -> [CloudDevice] {
        let end = times.now() + deadline
        do throws(CloudError) {
            return try await associatedDevices(by: end)
        } catch {
            // Not every project may list what is linked to it; the user's own list is then all there is.
            guard [.apiNotSubscribed, .permissionDenied, .badRequest].contains(where: error.isRefusal) else {
                throw error
            }
            let request = CloudRequest(method: "GET", path: "/v1.0/users/\(account.uid)/devices")
            let reply = try await call(request, .backOff, within: end - times.now())
            guard let devices = CloudReading.devices(reply["result"]) else { throw .incomplete("list of devices") }
            return devices
        }
    }

    package func specification(_ id: String, within deadline: Duration) async throws(CloudError) -> JSON? {
        let end = times.now() + deadline
        // The model first: it alone has all data points.
        for path in [try Self.path(id, "/v2.0/cloud/thing/", "/model"), "/v1.1/devices/\(id)/specifications"] {
            do throws(CloudError) {
                let request = CloudRequest(method: "GET", path: path)
                let reply = try await call(request, .backOff, within: end - times.now())
                if let found = reply["result"].flatMap(CloudReading.specification) { return found }
            } catch {
                guard Self.isAboutModel(error) else { throw error }
            }
        }
        return nil
    }

    package func unbind(_ id: String, within deadline: Duration) async throws(CloudError) {
        let path = try Self.path(id, "/v1.0/devices/")
        _ = try await call(CloudRequest(method: "DELETE", path: path), .backOff, within: deadline)
    }

    private func associatedDevices(by end: MonotonicTime) async throws(CloudError) -> [CloudDevice] {
        var devices: [CloudDevice] = []
        var ids: Set<String> = []
        var rows: Set<String> = []
        var last: String?
        for _ in 0..<Self.pageLimit {
            var query = [(key: "size", value: "\(Self.pageSize)")]
            if let last { query.append((key: "last_row_key", value: last)) }
            let request = CloudRequest(method: "GET", path: "/v1.0/iot-01/associated-users/devices", query: query)
            let result = try await call(request, .backOff, within: end - times.now())["result"]
            guard let page = result?["devices"]?.arrayValue ?? result?["list"]?.arrayValue else {
                throw .incomplete("list of devices")
            }
            // Other users may be linked to the same project.
            let own = page.filter { (CloudReading.owner($0) ?? account.uid) == account.uid }
            devices += own.compactMap(CloudReading.device).filter { ids.insert($0.id).inserted }
            guard result?["has_more"]?.boolValue == true, let row = CloudReading.text(result?["last_row_key"]),
                rows.insert(row).inserted
            else {
                break
            }
            last = row
        }
        return devices
    }

    /// Whether a refusal only means that there is no such model.
    private static func isAboutModel(_ error: CloudError) -> Bool {
        switch error.reason {
        case .refused(.noSchema), .refused(.unsupportedFunction), .refused(.permissionDenied),
            .refused(.apiNotSubscribed), .refused(.badRequest), .refused(.error), .refused(.unknownDevice):
            true
        default: false
        }
    }

    private static func path(_ id: String, _ before: String, _ after: String = "") throws(CloudError) -> String {
        guard isWord(id) else {
            throw CloudError(
                .refused(.unknownDevice),
                "That is no device id.",
                hint: "Copy it from the vendor's console."
            )
        }
        return before + id + after
    }
}
