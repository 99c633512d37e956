package import EventLoop
internal import HTTPClient
package import JSON

/// Simulated devices that wait to be paired, made from a plan, with their way to a simulated cloud.
@Loop
package final class HotspotHouse {
    package let devices: [HotspotLamp]
    private let client = HTTPClient()

    /// Devices that are switched off.
    ///
    /// - Parameters:
    ///   - plan: `{"cloud"?: URL, "air"?: folder, "devices": [a device's plan, …]}`.
    ///   - air: instead of the plan's.
    ///   - cloud: instead of the plan's; without any, every activation fails.
    package init(_ plan: JSON, air: String? = nil, cloud: String? = nil) throws {
        var plans: [HotspotPlan] = []
        var (air, cloud) = (air, cloud)
        for (key, value) in try PlanValue(key: "plan", value: plan).object() {
            let reader = PlanValue(key: key, value: value)
            switch key {
            case "air": if air == nil { air = try reader.text() }
            case "cloud": if cloud == nil { cloud = try reader.text() }
            case "devices":
                for (index, entry) in try reader.array().enumerated() {
                    var device = HotspotPlan(index: index)
                    try device.read(PlanValue(key: "devices", value: entry).object())
                    plans.append(device)
                }
            default: throw HotspotPlanError.unknown(key: key)
            }
        }
        if plans.isEmpty { plans = [HotspotPlan()] }
        let client = client
        let activation =
            cloud.map { HotspotActivation.cloud($0, client: client) }
            ?? HotspotActivation { _ in .failure(.unreachable("no cloud in the plan")) }
        devices = try plans.map { plan in
            try HotspotLamp(plan, activation: activation, air: air.map { Air(folder: $0) })
        }
    }

    /// Switches all devices on.
    package func start() throws {
        for device in devices { try device.start() }
    }

    /// Switches all devices off.
    package func stop() {
        for device in devices { device.stop() }
        client.close()
    }
}
